/** The server of `npm start` and `npm run dev`. It loads the script of the reference page when the page is opened first. */
import { join, relative } from "node:path";
import { keepCompiled } from "#specbind/server/compile-cache";
import { project } from "./project.ts";

keepCompiled(new URL("../", import.meta.url));
const { serveCommerce } = await import("../server/serve.ts");
await serveCommerce({
  commandLine: "npm start --",
  docsAssets: {
    folder: relative(".", join(import.meta.dirname, "..", project.docsAssets)),
    // Loaded only when it is needed, so that the server starts faster.
    fetch: async (folder) =>
      (await import("./toolkit/docs/reference-script.ts")).fetchReferenceScript(folder),
  },
});
