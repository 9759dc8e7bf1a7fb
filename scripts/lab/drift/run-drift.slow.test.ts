/** Runs drift on a small tree whose gates search a file for a word. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { filesIn } from "./copy.ts";
import { DriftError, type Mutant } from "./mutant.ts";
import { run } from "./run-drift.ts";

const root = temporaryFolder();

/** Replaces npm: a gate fails if a file contains its name. The diff gate requires version 2, and prints it as JSON. */
const npm = `#!/bin/sh
if [ "$5" = --json ]; then echo '{"verdict":{"leastVersion":"2.0.0"}}'; exit; fi
if [ "$3" = diff ] && grep -q "version: 1" spec/openapi.yaml || grep -q "$3" server/a.ts spec/openapi.yaml; then
  echo "error in $3" >&2
  exit 1
fi
`;

beforeEach(async () => {
  const files = {
    ".gitignore": "node_modules\n",
    "server/a.ts": "right",
    "spec/openapi.yaml": "info:\n  version: 2.0.0\n",
    "node_modules/.bin/npm": npm,
    "node_modules/.bin/vitest": "#!/bin/sh\nexec npm run -s tests\n",
    "node_modules/.bin/biome": "#!/bin/sh\n",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text, { mode: 0o755 });
  }
  await promisify(execFile)("git", ["init", "--quiet"], { cwd: root });
});

const server = (text: string): Mutant => {
  return { id: text, target: "server", operator: "say", title: text, file: "server/a.ts", text: () => text };
};
const spec = (id: string, text: string): Mutant => {
  return { id, target: "spec", operator: "say", title: id, file: "spec/openapi.yaml", text: () => text };
};
const gatesOf = async (mutants: readonly Mutant[], control?: Mutant): Promise<(string | undefined)[]> => {
  const tried = await run(root, await filesIn(root), mutants, control, () => {});
  return tried.map(({ kill }) => kill?.gate);
};

test("a change is counted for the first gate that fails, and the checkout stays unchanged", async () => {
  const mutants = ["tests lint:code", "tests", "coverage:contract", "wrong"].map(server);
  expect(await gatesOf(mutants)).toEqual(["lint:code", "tests", "coverage:contract", undefined]);
  expect(await readFile(join(root, "server/a.ts"), "utf8")).toBe("right");
});

test("a change of the spec also sets the version that it needs, unless the change is one of the version", async () => {
  const text = "info:\n  version: 1.0.0\n";
  expect(await gatesOf([spec("spec:a:/paths", text), spec("spec:b:/info/version", text)])).toEqual([
    undefined,
    "diff",
  ]);
});

test("nothing is measured if the unchanged tree or the control does not pass", async () => {
  const control = spec("spec:raise:/info/version", "# check:types\ninfo:\n  version: 9.0.0\n");
  await expect(gatesOf([server("tests")], control)).rejects.toThrow(
    new DriftError("spec:raise:/info/version does not pass check:types: error in check:types"),
  );
  await writeFile(join(root, "server/a.ts"), "lint:spec");
  await expect(gatesOf([server("tests")])).rejects.toThrow(
    new DriftError("the unchanged tree does not pass lint:spec: error in lint:spec"),
  );
});
