/** A plugin for Vite. It generates at the start and after each save, and the page shows problems of the document. */
import { dirname, relative } from "node:path";
import { configuredProjects } from "./commands/config.ts";
import type { Project } from "./commands/project.ts";
import { isIn } from "./dev/watch.ts";
import { hintOfGenerate, listOfProblems, messageOf, SpecProblemsError } from "./openapi/spec-problems.ts";

/** The part of Vite's development server that is used here. */
interface Server {
  readonly watcher: {
    add(path: string): unknown;
    on(event: "change", listener: (file: string) => void): unknown;
  };
  readonly ws: { on(event: "connection", listener: () => void): unknown; send(payload: Payload): void };
}
type Payload =
  | { type: "full-reload" }
  | { type: "error"; err: { message: string; stack: string; plugin: string } };

/** @param options `config` is the file of the configuration. Default: the one that the command finds */
export function specbind(options: { readonly config?: string } = {}) {
  let projects: readonly Project[] = [];
  let problems = "";
  let isServed = false;
  const generateAll = async (): Promise<void> => {
    try {
      projects = await configuredProjects(options.config);
      problems = (await Promise.all(projects.map(generate))).filter((text) => text !== "").join("\n");
    } catch (error) {
      problems = messageOf(error);
    }
  };
  return {
    name: "specbind",
    /** A build fails if the document has errors. In development, the page shows them. */
    async buildStart(): Promise<void> {
      if (isServed) return;
      await generateAll();
      if (problems !== "") throw new Error(problems);
    },
    async configureServer({ watcher, ws }: Server): Promise<void> {
      isServed = true;
      await generateAll();
      for (const { spec } of projects) watcher.add(dirname(spec));
      let running = Promise.resolve();
      const show = (): void =>
        problems === ""
          ? ws.send({ type: "full-reload" })
          : ws.send({ type: "error", err: { message: problems, stack: "", plugin: "specbind" } });
      ws.on("connection", () => problems !== "" && show());
      watcher.on("change", (path) => {
        const file = relative(".", path);
        const isPart = ({ spec, generated }: Project) => isIn(file, dirname(spec)) && !isIn(file, generated);
        if (/\.(?:ya?ml|json)$/.test(file) && projects.some(isPart))
          running = running.then(generateAll).then(show);
      });
    },
  };
}

/** @returns the problems of the document, or "" */
async function generate(project: Project): Promise<string> {
  // The compiler is loaded late, because a plugin that is only configured does not need it.
  const [{ run }, { writeFiles }] = await Promise.all([
    import("./generate/pipeline.ts"),
    import("./generate/output.ts"),
  ]);
  try {
    const { files } = await run({ ...project, lenient: false });
    await writeFiles(project.generated, files);
    return "";
  } catch (error) {
    return error instanceof SpecProblemsError
      ? listOfProblems(error.problems, false, hintOfGenerate)
      : messageOf(error);
  }
}
