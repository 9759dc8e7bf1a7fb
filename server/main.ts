import { keepCompiled } from "./runtime/process/compile-cache.ts";

keepCompiled();
await import("./serve.ts");
