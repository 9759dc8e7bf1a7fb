/** Checks that the files and scripts in the VS Code settings exist, and that tasks find the position of each error. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { ended } from "./testing/program.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { render } from "./toolkit/dev/screen.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = temporaryFolder();

interface Pattern {
  readonly regexp: string;
  readonly [group: string]: unknown;
}

interface Task {
  readonly label: string;
  readonly type: string;
  readonly script?: string;
  readonly problemMatcher: string | readonly string[] | { readonly pattern: Pattern | readonly Pattern[] };
}

const names = ["extensions", "launch", "settings", "tasks"] as const;
const texts = new Map(names.map((name) => [name, readFileSync(join(root, `.vscode/${name}.json`), "utf8")]));
const { tasks }: { tasks: readonly Task[] } = JSON.parse(texts.get("tasks") ?? "");

describe("the settings for Visual Studio Code", () => {
  it("run only npm scripts that exist", () => {
    const scripts = tasks.filter(({ type }) => type === "npm").map(({ script }) => script ?? "");
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((script) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
  });

  it("refer only to files and folders that exist", () => {
    const all = [...texts.values()].join("\n");
    const named = [
      ...all.matchAll(
        /(?:\$\{workspaceFolder\}\/|")((?:node_modules|spec|server|scripts|\.vscode)\/[\w./-]+)/g,
      ),
    ].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The problems that an editor lists for the output of a task. */
function problemsOf(label: string, printed: string): { place: string; message: string }[] {
  const matcher = tasks.find((task) => task.label === label)?.problemMatcher;
  if (typeof matcher !== "object" || !("pattern" in matcher)) throw new Error(`${label} has no pattern`);
  const patterns = [matcher.pattern].flat() as readonly Pattern[];
  const lines = printed.split("\n");
  return lines.flatMap((_, start) => {
    const parts = new Map<string, string>();
    for (const [index, pattern] of patterns.entries()) {
      const found = new RegExp(pattern.regexp).exec(lines[start + index] ?? "");
      if (found === null) return [];
      for (const [part, group] of Object.entries(pattern))
        if (typeof group === "number") parts.set(part, found[group] ?? "");
    }
    const place = ["file", "line", "column"].map((part) => parts.get(part)).join(":");
    return [{ place, message: parts.get("message") ?? "" }];
  });
}

describe("the task lists an error with its position", () => {
  const spec = readFileSync(join(root, "spec/openapi.yaml"), "utf8");
  const broken = spec.replace("      summary: Log a user in", "      sumary: Log a user in");
  const lineOf = (text: string, found: string): number =>
    text.slice(0, text.indexOf(found)).split("\n").length;
  const place = `spec/openapi.yaml:${lineOf(broken, "sumary:")}:7`;
  beforeAll(() => {
    cpSync(join(root, "spec"), join(folder, "spec"), { recursive: true });
    writeFileSync(join(folder, "spec/openapi.yaml"), broken);
  });

  /** The output of a command in the folder with the broken spec. */
  async function printedBy(command: string): Promise<string> {
    const env = {
      PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    return (await ended(["sh", "-c", `${command} 2>&1`], { cwd: folder, env })).stdout;
  }
  const scriptNamed = (script: keyof typeof packageJson.scripts): string =>
    packageJson.scripts[script].replaceAll(/(?<=node (?:--\S+ )*)scripts\//g, join(root, "scripts/"));

  it("generate", async () => {
    expect(problemsOf("generate", await printedBy(scriptNamed("generate")))).toContainEqual({
      place,
      message: "`sumary` has no meaning here. Did you mean `summary`? [struct]",
    });
  });

  it("lint the spec", async () => {
    expect(problemsOf("lint the spec", await printedBy(scriptNamed("lint:spec")))).toContainEqual({
      place,
      message: "`sumary` has no meaning here. Did you mean `summary`? [struct]",
    });
  });

  it("dev", () => {
    const specProblems = [{ location: place, message: "Wrong." }];
    const compileErrors = [{ file: "server/app.ts", line: 3, column: 5, code: "TS1", message: ["Wrong."] }];
    const report = { saved: [], written: [], specProblems, compileErrors, ms: {}, totalMs: 1 };
    expect(problemsOf("dev", render(report, "not started"))).toEqual([
      { place, message: "Wrong." },
      { place: "server/app.ts:3:5", message: "Wrong." },
    ]);
  });

  it("diff", async () => {
    const longer = spec.replace("maxLength: 128\n", "maxLength: 64\n");
    writeFileSync(join(folder, "spec/openapi.yaml"), longer);
    const printed = await printedBy(scriptNamed("diff"));
    writeFileSync(join(folder, "spec/openapi.yaml"), broken);
    const at = `spec/openapi.yaml:${lineOf(longer, "maxLength: 64\n")}:11`;
    expect(problemsOf("diff", printed)).toEqual([
      {
        place: at,
        message:
          "property `uuid` of `Credentials`: `maxLength` was 128, is 64: a request that was valid may be rejected [schema-size]",
      },
    ]);
  });

  it("lint the code", async () => {
    writeFileSync(join(folder, "faulty.ts"), "let b = 2;\nexport { b };\n");
    cpSync(join(root, "biome.json"), join(folder, "biome.json"));
    expect(problemsOf("lint the code", await printedBy("biome check faulty.ts"))).toContainEqual({
      place: "faulty.ts:1:1",
      message: "This let declares a variable that is only assigned once.",
    });
  });
});
