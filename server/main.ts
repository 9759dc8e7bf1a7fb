import { keepCompiled } from "#specbind/server/compile-cache";

keepCompiled();
await import("./serve.ts");
