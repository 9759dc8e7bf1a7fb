import { keepCompiled } from "#specbind/server/compile-cache";

keepCompiled(new URL("../", import.meta.url));
const { serveCommerce } = await import("./serve.ts");
// The Docker image has no npm.
await serveCommerce({ commandLine: "node server" });
