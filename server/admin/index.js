/** The command `node server/admin`. */
import "../node-version.js";

await import("./main.ts");
