import type { Impacts } from "./diff/changes.ts";

/** The configuration of `specbind`. Paths are relative to the folder of its file. Options of a command have the same names, and override it. */
export interface DocumentConfig {
  /** The OpenAPI document, YAML or JSON. Default: `spec/openapi.yaml`. */
  readonly spec?: string;
  /** The folder of the generated files. Default: `generated`. */
  readonly out?: string;
  /** The extension of generated files in the imports of other ones. Default: `ts`. */
  readonly importExt?: "ts" | "js";
  /** The language of the validators. `tsc --outDir` needs `ts`. Default: `ts` if `importExt` is `js`, else `js`. */
  readonly validators?: "ts" | "js";
  /** The list of rules that are not enforced. Default: `waivers.yaml` next to the document, if it exists. */
  readonly waivers?: string;
  /** Folders into which references of the document may point, in addition to its own. */
  readonly allowOutside?: readonly string[];
  /** A configuration of Redocly. Default: `redocly.yaml` next to the document or here, or else rules for operationIds and examples. */
  readonly rules?: string;
  /** The impact that `diff` and `release` give to all findings of a rule of `diff`, keyed by the id of the rule. */
  readonly impacts?: Impacts;
}

export interface SpecbindConfig extends DocumentConfig {
  /** The documents, if there are several. They inherit the other fields. */
  readonly documents?: readonly DocumentConfig[];
}

/** Gives the configuration its type, as `export default defineConfig({ … })`. */
export function defineConfig(config: SpecbindConfig): SpecbindConfig {
  return config;
}
