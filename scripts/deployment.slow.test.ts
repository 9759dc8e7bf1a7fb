/** Checks the manifests of docs/deployment against the schemas and types of Kubernetes. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { run, tools } from "./build/consumers/testing/installed.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: object;
}

const folder = temporaryFolder();
let manifests: readonly Manifest[];

beforeAll(async () => {
  const text = await readFile("docs/deployment/kubernetes.yaml", "utf8");
  manifests = parseAllDocuments(text).map((document) => document.toJS());
});

const modelOf = ({ apiVersion, kind }: Manifest) => join(tools, "kubernetes-models", apiVersion, kind);

/** Throws if the manifest is invalid by the schema of Kubernetes' own OpenAPI document. It allows unknown properties. */
async function validate(manifest: Manifest): Promise<void> {
  const models = await import(pathToFileURL(`${modelOf(manifest)}.js`).href);
  new models[manifest.kind](manifest).validate();
}

/** The compiler's errors, which include unknown properties. */
async function typeErrors(all: readonly Manifest[]): Promise<string> {
  const lines = all.map(
    (manifest, index) =>
      `import type { I${manifest.kind} } from ${JSON.stringify(modelOf(manifest))};\nexport const it${index}: I${manifest.kind} = ${JSON.stringify(manifest)};\n`,
  );
  await writeFile(join(folder, "manifests.ts"), lines.join(""));
  const compiler = join(tools, "typescript-5.9/bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "manifests.ts"];
  return (await run(process.execPath, [compiler, ...options], folder)).output;
}

it("kubernetes.yaml is valid", async () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    "Deployment",
    "Service",
    "PodDisruptionBudget",
    "NetworkPolicy",
  ]);
  for (const manifest of manifests) await validate(manifest);
  expect(await typeErrors(manifests)).toBe("");
});

it("a wrong value and a misspelt property are found in each manifest", async () => {
  for (const manifest of manifests)
    await expect(validate({ ...manifest, spec: "wrong" as never })).rejects.toThrow("/spec");
  const misspelt = manifests.map((manifest) => ({ ...manifest, spec: { ...manifest.spec, misspelt: true } }));
  expect((await typeErrors(misspelt)).match(/misspelt.* does not exist/g)).toHaveLength(manifests.length);
});
