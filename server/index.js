/** The command `node server`. */
import "./node-version.js";

await import("./main.ts");
