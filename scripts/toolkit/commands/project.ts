import { existsSync } from "node:fs";
import type { Impacts } from "../diff/changes.ts";
import type { PipelineChoices } from "../generate/pipeline.ts";

/** The files and folders of the project that a command runs in, relative to the current folder. */
export interface Project {
  /** How the user calls commands: `npm run` or `npx specbind`. */
  readonly program: "npm run" | "npx specbind";
  /** The OpenAPI document. */
  readonly spec: string;
  /** The folder of the generated files. */
  readonly generated: string;
  /** The rules that Redocly checks. Without them, `lintSpec` finds them. */
  readonly rules?: string;
  /** The list of waivers. Without it, `waivers.yaml` next to the document. */
  readonly waivers?: string;
  /** What the runtime's modules are named in generated imports. */
  readonly runtime: string;
  /** The extension of generated files in the imports of other ones. Default: ts. */
  readonly importExt?: (typeof languages)[number];
  /** The language of the validators. Default: ts if `importExt` is js, and otherwise js. */
  readonly validators?: (typeof languages)[number];
  /** Folders into which references of the document may point, in addition to its own. */
  readonly allowOutside?: readonly string[];
  /** The impacts of all findings of a rule of `diff`, keyed by its id. */
  readonly impacts?: Impacts;
  /** The program that `dev` runs. */
  readonly main: string;
  /** The folders whose files `dev` watches. */
  readonly watched: readonly string[];
  /** The folder for the script of the reference page. */
  readonly docsAssets: string;
}

export const languages = ["ts", "js"] as const;

/** Returns the name of a command without options, such as `npm run diff --`. */
export function nameOf({ program }: Pick<Project, "program">, verb: string): string {
  return program === "npm run" ? `npm run ${verb} --` : verb;
}

/**
 * If a project generates code from the document, the generator's problems are the clearest.
 * @throws SpecProblemsError with the problems that stop generation
 */
export async function stopIfNotGeneratable(
  generated: string,
  document: Pick<PipelineChoices, "spec" | "waivers" | "allowOutside">,
): Promise<void> {
  if (!existsSync(generated)) return;
  const { assertGeneratable } = await import("../generate/pipeline.ts");
  await assertGeneratable(document);
}
