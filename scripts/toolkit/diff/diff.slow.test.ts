/** Runs the commands diff and release on real files in a git repository. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ended, ended } from "../../testing/program.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const folder = temporaryFolder();
const lone = temporaryFolder();
/** Without the user's settings of git. */
const clean = ["env", "-i", `PATH=${process.env.PATH}`];
const run = (program: "diff" | "lint-spec" | "release", ...args: string[]): Promise<Ended> =>
  ended([...clean, process.execPath, resolve(`scripts/${program}.ts`), ...args], { cwd: folder });
const git = (...args: string[]): Promise<Ended> =>
  ended([...clean, "git", "-c", "user.name=A", "-c", "user.email=a@a.test", ...args], { cwd: folder });

let firstRelease: string;
let firstChangelog: string;
const releasedFile = join(folder, "spec/released/openapi.json");
const changelogFile = join(folder, "CHANGELOG.md");
const specFile = join(folder, "spec/openapi.yaml");

beforeAll(async () => {
  await git("init", "--quiet");
  await mkdir(join(folder, "spec"));
  await writeFile(specFile, spec({}));
  await run("release", "--date", "2026-01-31");
  firstChangelog = await readFile(changelogFile, "utf8");
  firstRelease = await readFile(releasedFile, "utf8");
  await cp(join(folder, "spec"), join(lone, "spec"), { recursive: true });
});

function spec({ version = "1.0.0", maxLength = 9, note = "A thing." }): string {
  return `openapi: 3.1.1
info:
  title: Things
  version: ${version}
paths:
  /things:
    post:
      operationId: makeThing
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              description: ${note}
              required: [name]
              properties:
                name: { type: string, maxLength: ${maxLength} }
      responses:
        "204": { description: Made. }
`;
}

beforeEach(async () => {
  await rm(join(folder, "spec"), { recursive: true, force: true });
  await cp(join(lone, "spec"), join(folder, "spec"), { recursive: true });
  await writeFile(changelogFile, firstChangelog);
});

/** Both commands print this hint. */
const restore = "restore both with `git checkout -- spec/released`, and change only the spec";

describe("npm run diff", () => {
  test("passes and reports no changes if nothing changed", async () => {
    expect(await run("diff")).toEqual({
      status: 0,
      stdout:
        "spec/openapi.yaml (1.0.0) against spec/released/openapi.json (1.0.0)\n\nNothing changed for callers.\n",
      stderr: "",
    });
  });

  test.each([
    ["diff", "Nothing was compared.", 2],
    ["lint-spec", "Nothing was checked.", 1],
  ] as const)(
    "only reports what stops generation, if code is generated (%s)",
    async (program, text, status) => {
      await mkdir(join(folder, "generated"), { recursive: true });
      await writeFile(specFile, spec({ maxLength: 8 }).replace("maxLength", "format: guid, maxLength"));
      const stderr = `spec/openapi.yaml:18:39  \`format\` has the unknown value \`guid\`; did you mean \`uuid\`? [unknown-format]\n${text}\n`;
      expect(await run(program)).toEqual({ status, stdout: "", stderr });
      await rm(join(folder, "generated"), { recursive: true });
    },
  );

  test("fails with a one-line error if a change breaks callers and the version is not raised enough", async () => {
    await writeFile(specFile, spec({ maxLength: 8 }));
    expect(await run("diff")).toEqual({
      status: 1,
      stdout: `spec/openapi.yaml (1.0.0) against spec/released/openapi.json (1.0.0)

On the wire
  major  spec/openapi.yaml:18:39  POST /things, request
         property \`name\`: \`maxLength\` was 9, is 8: a request that was valid may be rejected [schema-size]
         In requests, allow at least the earlier values.
         waiver: - { rule: schema-size, at: "#/paths/~1things/post/requestBody/content/application~1json/schema/properties/name/maxLength", reason: … }

major: 1 breaking; the version must be 2.0.0 or higher, or each break needs a waiver
`,
      stderr:
        "spec/openapi.yaml:4:3  callers of 1.0.0 break, and info.version is 1.0.0; set it to 2.0.0, undo the breaking changes, or paste their waivers into diff-waivers.yaml next to the spec\n",
    });
  });

  test("fails with a one-line error if the version is lower, and so does release", async () => {
    await writeFile(specFile, spec({ version: "0.9.0", maxLength: 10 }));
    const line = "info.version is 0.9.0, which is lower than 1.0.0; set it to 1.1.0";
    const { status, stderr } = await run("diff");
    expect([status, stderr]).toEqual([1, `spec/openapi.yaml:4:3  ${line}\n`]);
    expect((await run("release")).status).toBe(1);
    expect(await readFile(releasedFile, "utf8")).toBe(firstRelease);
  });

  test("compares with a revision or with another document", async () => {
    await git("add", ".");
    await git("commit", "--quiet", "--message", "first");
    await writeFile(specFile, spec({ maxLength: 8 }));
    await writeFile(join(folder, "base.yaml"), spec({ maxLength: 8 }));
    const { status, stdout } = await run("diff", "HEAD");
    expect(stdout).toMatch(/^spec\/openapi.yaml \(1.0.0\) against HEAD:spec\/openapi.yaml/);
    expect(status).toBe(1);
    expect((await run("diff", "--base", "base.yaml")).status).toBe(0);
  });

  test("with a revision, asks for the version that the changes since the release need", async () => {
    await writeFile(specFile, spec({ maxLength: 10, version: "1.1.0" }));
    await git("add", ".");
    await git("commit", "--quiet", "--message", "unreleased");
    const since = async (change: Parameters<typeof spec>[0]) => {
      await writeFile(specFile, spec(change));
      const [revision, release] = [await run("diff", "HEAD"), await run("diff")];
      const verdictOf = ({ stdout }: Ended) => stdout.trimEnd().split("\n").at(-1);
      expect([revision.status, revision.stderr]).toEqual([release.status, release.stderr]);
      return [release.status, verdictOf(revision), verdictOf(release)];
    };
    expect([
      await since({ maxLength: 9, version: "1.1.0" }),
      await since({ maxLength: 8, version: "1.1.0" }),
    ]).toEqual([
      [
        0,
        "major: 1 breaking; the version is high enough for all changes since 1.0.0",
        "Nothing changed for callers.",
      ],
      [
        1,
        "major: 1 breaking; the version must be 2.0.0 or higher for all changes since 1.0.0, or each break needs a waiver",
        "major: 1 breaking; the version must be 2.0.0 or higher, or each break needs a waiver",
      ],
    ]);
  });

  test("compares two revisions, or a file with a revision", async () => {
    for (const maxLength of [9, 8]) {
      await writeFile(specFile, spec({ maxLength }));
      await git("add", ".");
      await git("commit", "--quiet", "--allow-empty", "--message", String(maxLength));
    }
    await writeFile(join(folder, "base.yaml"), spec({}));
    const [two, one] = [await run("diff", "HEAD~1..HEAD"), await run("diff", "base.yaml", "HEAD")];
    expect([two.status, one.status]).toEqual([1, 1]);
    expect(two.stdout).toMatch(/^HEAD:spec\/openapi.yaml \(1.0.0\) against HEAD~1:spec\/openapi.yaml/);
    expect(one.stdout).toMatch(/^HEAD:spec\/openapi.yaml \(1.0.0\) against base.yaml/);
  });

  test("compares with standard input, and names it in the places of removals", async () => {
    const more = spec({}).replace("paths:\n", "paths:\n  /gone: { get: { responses: {} } }\n");
    await writeFile(join(folder, "more.yaml"), more);
    const command = `${process.execPath} ${resolve("scripts/diff.ts")} --lenient - < more.yaml`;
    const { stdout } = await ended([...clean, "sh", "-c", command], { cwd: folder });
    expect(stdout).toContain("  major  standard input:6:3  /gone\n         path /gone was removed");
  });

  test("fails for the impact of --fail-on, and writes the result to the file of --output", async () => {
    await writeFile(specFile, spec({ maxLength: 10, version: "1.1.0" }));
    const written = ["--format", "markdown", "--output", "changes.md"];
    expect((await run("diff", "--fail-on", "major")).status).toBe(0);
    expect(await run("diff", "--fail-on", "minor", ...written)).toEqual({
      status: 1,
      stdout: "",
      stderr: "",
    });
    expect(await readFile(join(folder, "changes.md"), "utf8")).toMatch(/^### minor: 1 compatible/);
  });

  test("compares a file of an outer folder, and two revisions with dots in their names", async () => {
    await git("add", ".");
    await git("commit", "--quiet", "--allow-empty", "--message", "x");
    await git("tag", "--force", "v1.0");
    const inner = (...args: string[]) =>
      ended([...clean, process.execPath, resolve("scripts/diff.ts"), ...args], { cwd: join(folder, "spec") });
    const [outer, revisions] = [
      await inner("../spec/openapi.yaml", "../spec/openapi.yaml"),
      await inner("v1.0..v1.0", "--spec", "openapi.yaml"),
    ];
    expect((await inner("../spec/openapi.yaml", "--spec", "openapi.yaml")).status).toBe(0);
    expect([outer.status, revisions.status, revisions.stdout.split(" ", 3)]).toEqual([
      0,
      0,
      ["v1.0:openapi.yaml", "(1.0.0)", "against"],
    ]);
  });

  test("lists only the changes of --path and --tag, and still needs the version for all changes", async () => {
    const other = "  /other:\n    get: { tags: [x], responses: { 204: { description: Done. } } }\n";
    await writeFile(specFile, spec({ maxLength: 8 }) + other);
    const [path, tag] = [
      await run("diff", "--path", "/oth*"),
      await run("diff", "--tag", "x", "--fail-on", "major"),
    ];
    expect(path.stdout).toMatch(
      /against .* \(1\.0\.0\), only --path \/oth\*\n\nOn the wire\n {2}minor .* \/other\n.*\n\nminor: 1 compatible; the version must be 2\.0\.0 or higher for all changes since 1\.0\.0, or each break needs a waiver\n$/,
    );
    expect([path.status, tag.status, tag.stderr]).toEqual([1, 0, ""]);
    expect(await run("diff", "--tag", "y")).toEqual({
      status: 2,
      stdout: "",
      stderr: "no operation has the tag `y`; see npm run diff -- --help\n",
    });
  });

  test("compares the documents that a glob matches, and reports those that are new or were removed", async () => {
    for (const [name, maxLength] of Object.entries({ a: 9, b: 9 })) {
      await mkdir(join(folder, "apis", name), { recursive: true });
      await writeFile(join(folder, "apis", name, "api.yaml"), spec({ maxLength }));
    }
    await git("add", ".");
    await git("commit", "--quiet", "--message", "two");
    await mkdir(join(folder, "apis/c"));
    await writeFile(join(folder, "apis/a/api.yaml"), spec({ maxLength: 8, version: "2.0.0" }));
    await writeFile(join(folder, "apis/c/api.yaml"), spec({}));
    await rm(join(folder, "apis/b"), { recursive: true });
    const { status, stdout, stderr } = await run("diff", "HEAD", "--spec", "apis/**/*.yaml");
    expect(stdout).toMatch(
      /^apis\/a\/api.yaml \(2.0.0\) against HEAD:apis\/a\/api.yaml[\s\S]*\nmajor: 1 breaking; .*\n$/,
    );
    expect([status, stderr]).toEqual([
      1,
      "apis/c/api.yaml  is new: HEAD has no such document, so it was not compared\napis/b/api.yaml  was removed, so callers of HEAD break; restore it\n",
    ]);
    expect(await run("diff", "HEAD", "--spec", "apis/*.json")).toEqual({
      status: 2,
      stdout: "",
      stderr: "apis/*.json  no document matches; correct this glob\nNothing was compared.\n",
    });
  });

  test("reads all files of a spec at the revision if the spec has several files", async () => {
    const whole = (title: string): string =>
      spec({}).replace(
        /schema:\n(?:.*\n)+?(?= {6}responses)/,
        `schema: { $ref: "parts/thing.yaml#/${title}" }\n`,
      );
    const thing = (maxLength: number): string =>
      `thing: { type: object, properties: { name: { $ref: ../../shared/name.json } } }\nnone: ${maxLength}\n`;
    await mkdir(join(folder, "spec/parts"));
    await mkdir(join(folder, "shared"), { recursive: true });
    await writeFile(specFile, whole("thing"));
    await writeFile(join(folder, "spec/parts/thing.yaml"), thing(1));
    await writeFile(join(folder, "shared/name.json"), '{ "type": "string", "maxLength": 9 }');
    await git("add", ".");
    await git("commit", "--quiet", "--message", "several files");
    const allow = ["--allow-outside", "shared"];
    expect((await run("diff", "HEAD", ...allow)).stdout).toContain("Nothing changed for callers.");
    await writeFile(join(folder, "shared/name.json"), '{ "type": "string", "maxLength": 8 }');
    expect((await run("diff", "HEAD", ...allow)).stdout).toContain(
      "  major  shared/name.json:1:21  POST /things, request\n         `name`: `maxLength` was 9, is 8:",
    );
    await git("commit", "--quiet", "--all", "--message", "shorter");
    await writeFile(specFile, whole("none"));
    await git("commit", "--quiet", "--all", "--message", "dangling");
    await writeFile(specFile, whole("gone"));
    expect((await run("diff", "HEAD", "--spec", "spec/openapi.yaml")).stderr).toBe(
      "HEAD:spec/openapi.yaml:13:23  `#/none` in HEAD:spec/parts/thing.yaml is not an object; correct this reference [reference]\nspec/openapi.yaml:13:23  there is no `#/gone` in spec/parts/thing.yaml; correct this reference, or define its target [reference]\nNothing was compared.\n",
    );
    expect((await git("status", "--short")).stdout).toBe(" M spec/openapi.yaml\n");
  });

  test("fails if the file does not exist at the revision", async () => {
    await writeFile(join(folder, "spec/new.yaml"), spec({}));
    expect((await run("diff", "HEAD", "--spec", "spec/new.yaml")).stderr).toBe(
      "HEAD:spec/new.yaml  no such file; give a revision that has it, or a document with --base FILE\nNothing was compared.\n",
    );
  });

  test("continues with --lenient if a document has errors, and counts them", async () => {
    await writeFile(specFile, `extra: 1\n${spec({})}`);
    expect((await run("diff")).status).toBe(2);
    const { status, stdout, stderr } = await run("diff", "--lenient");
    expect(stderr).toBe("spec/openapi.yaml: 1 problem is ignored; `generate --lenient` lists them\n");
    expect([status, stdout.split("\n", 1)]).toEqual([
      0,
      ["spec/openapi.yaml (1.0.0) against spec/released/openapi.json (1.0.0)"],
    ]);
  });

  test("counts a reference that only --lenient can skip as a break", async () => {
    await writeFile(
      specFile,
      spec({}).replace("{ type: string, maxLength: 9 }", '{ $ref: "#/components/schemas/Gone" }'),
    );
    const { status, stdout } = await run("diff", "--lenient");
    expect(stdout).toContain("what cannot be read counts as a break [unreadable]");
    expect(status).toBe(1);
  });

  test("counts a waived break as minor, as release does, and reports a waiver that matches no break", async () => {
    await writeFile(
      join(folder, "spec/diff-waivers.yaml"),
      "- { rule: schema-size, reason: Nobody sends so much. }\n- { rule: path-removed, reason: Old. }\n",
    );
    await writeFile(specFile, spec({ maxLength: 8, version: "1.1.0" }));
    const { status, stdout, stderr } = await run("diff");
    expect(stdout).toContain("may be rejected (waived: Nobody sends so much.) [schema-size]\n");
    expect([status, stderr]).toEqual([
      0,
      "spec/diff-waivers.yaml:2:3  no breaking change matches this waiver; remove it, or correct its `rule` or `at`\n",
    ]);
    expect((await run("release")).status).toBe(0);
  });

  test("prints the verdict as one JSON object", async () => {
    await writeFile(specFile, spec({ maxLength: 8 }));
    const { stdout } = await run("diff", "--json");
    const pointer =
      "/paths/~1things/post/requestBody/content/application~1json/schema/properties/name/maxLength";
    expect(JSON.parse(stdout)).toEqual({
      files: { old: "spec/released/openapi.json", now: "spec/openapi.yaml" },
      versions: { old: "1.0.0", now: "1.0.0" },
      verdict: { impact: "major", isRaised: false, leastVersion: "2.0.0", versionFault: null },
      findings: [
        {
          rule: "schema-size",
          impact: "major",
          kind: "wire",
          pointer,
          location: "spec/openapi.yaml:18:39",
          near: "spec/openapi.yaml:18:39",
          subject: "POST /things, request",
          sentence: "property `name`: `maxLength` was 9, is 8: a request that was valid may be rejected",
          remedy: "In requests, allow at least the earlier values.",
          waiver: `- { rule: schema-size, at: "#${pointer}", reason: … }`,
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          operations: ["POST /things"],
        },
      ],
    });
  });

  test("escapes control characters of the spec", async () => {
    await writeFile(specFile, spec({}).replaceAll("/things", '"/a\\e[31m\\nb"'));
    const { stdout } = await run("diff");
    expect(stdout).toContain("path /a\\u001b[31m\\u000ab was added");
    expect(stdout).not.toContain("\u001b");
  });

  test.each([
    [
      ["HEAD", "--base", "a"],
      /^give an older document as an argument or with --base, not both; see npm run diff -- --help\n$/,
    ],
    [
      ["-", "-"],
      /^standard input can be only one of the documents; give the other as a file or a revision; see npm run diff -- --help\n$/,
    ],
    [
      ["spec/openapi.yaml", "--spec", "apis/*"],
      /^spec\/openapi.yaml cannot be compared with several documents; choose one with --spec FILE; see npm run diff -- --help\n$/,
    ],
    [
      ["--base", "spec"],
      /^spec {2}is a folder; give the file itself with --base FILE\nNothing was compared\.\n$/,
    ],
    [
      ["no-such-revision"],
      /^no-such-revision {2}no such file, and git knows no such revision \(.+\); give another, or a document with --base FILE\nNothing was compared\.\n$/,
    ],
    [
      ["--spec", join(lone, "spec/openapi.yaml"), "HEAD"],
      /openapi\.yaml {2}git cannot read it \(not a git repository .+\); give a file in a repository, or a document with --base FILE\n/,
    ],
    [
      ["spec/openapi.yaml", "--output", "none/out.md"],
      /^none\/out\.md cannot be written \(ENOENT: .+\); give a file in an existing folder with --output FILE\n$/,
    ],
    [["spec"], /^spec {2}is a folder, and git knows no such revision /],
    [["main..", "--json"], /^main\.\. {2}no such file, and git knows no such revision /],
    [["--", "--output=stolen"], /^--output=stolen {2}no such file, and git knows no such revision /],
  ])("rejects the arguments %j with the reason in one line, and exits with 2", async (args, message) => {
    const { status, stdout, stderr } = await run("diff", ...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("says how to start if nothing was released yet", async () => {
    await rm(join(folder, "spec/released"), { recursive: true });
    expect(await run("diff")).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "spec/released/openapi.json  nothing was released yet; run `npm run release`, or give a revision or --base FILE\nNothing was compared.\n",
    });
  });
});

describe("the released interface", () => {
  test("has a digest file in the format of sha256sum next to it, even in this project", async () => {
    for (const folderOfRelease of [join(folder, "spec/released"), resolve("spec/released")]) {
      const bytes = await readFile(join(folderOfRelease, "openapi.json"));
      expect(await readFile(join(folderOfRelease, "openapi.json.sha256"), "utf8")).toBe(
        `${createHash("sha256").update(bytes).digest("hex")}  openapi.json\n`,
      );
    }
  });

  test("is rejected if it was edited, even if the edit hides a break", async () => {
    await writeFile(specFile, spec({ maxLength: 8 }));
    await writeFile(releasedFile, firstRelease.replace('"maxLength": 9', '"maxLength": 8'));
    for (const [program, done] of [
      ["diff", "compared"],
      ["release", "released"],
    ] as const)
      expect(await run(program)).toEqual({
        status: 2,
        stdout: "",
        stderr: `spec/released/openapi.json  its content differs from its digest in openapi.json.sha256; ${restore}\nNothing was ${done}.\n`,
      });
  });

  test("is rejected if its digest is missing", async () => {
    await rm(`${releasedFile}.sha256`);
    expect((await run("diff")).stderr).toBe(
      `spec/released/openapi.json  its digest openapi.json.sha256 is missing; ${restore}\nNothing was compared.\n`,
    );
  });
});

describe("npm run release", () => {
  const released = async (): Promise<string> => {
    return JSON.parse(await readFile(releasedFile, "utf8")).info.version;
  };

  test("rejects new wording with the old version", async () => {
    await writeFile(specFile, spec({ note: "It." }));
    const { status, stderr } = await run("release");
    expect(status).toBe(1);
    expect(stderr).toContain("the changes since 1.0.0 are patch, and info.version is");
    expect(stderr).toContain("set it to 1.0.1 or higher\nNothing was released.\n");
    expect(await released()).toBe("1.0.0");
    expect(await readFile(changelogFile, "utf8")).toBe(firstChangelog);
  });

  test("rejects a version that is not a valid semantic version, even for the first release", async () => {
    await rm(join(folder, "spec/released"), { recursive: true });
    await writeFile(specFile, spec({ version: '"v1.0.0"' }));
    const { status, stderr } = await run("release");
    expect([status, stderr]).toEqual([
      1,
      "spec/openapi.yaml:4:3  info.version is v1.0.0, which is not a semantic version; set it to one such as 1.0.0\nNothing was released.\n",
    ]);
    expect(existsSync(releasedFile)).toBe(false);
  });

  test("writes nothing if nothing changed", async () => {
    expect(await run("release")).toEqual({
      status: 0,
      stdout: "spec/openapi.yaml equals spec/released/openapi.json; nothing to release\n",
      stderr: "",
    });
  });

  test("starts the changelog with a list of all operations", () => {
    expect(firstChangelog).toBe(`# Changelog

## [Unreleased]

## [1.0.0] - 2026-01-31

### First release

- \`POST /things\`: makeThing
`);
  });

  const asEntry = `## [2.0.0] - 2026-02-28

- The tills of the shops have to be updated first.

### Breaking

- POST /things, request: property \`name\`: \`maxLength\` was 9, is 8: a request that was valid may be rejected (\`/paths/~1things/post/requestBody/content/application~1json/schema/properties/name/maxLength\`)

### Wording

- The wording of one place changed. Nothing changes for callers.
`;
  const withNotes = (): Promise<void> =>
    writeFile(
      changelogFile,
      firstChangelog.replace(
        "## [Unreleased]\n",
        "## [Unreleased]\n\n- The tills of the shops have to be updated first.\n",
      ),
    );

  test("adds the changes to the changelog, below the hand-written notes", async () => {
    await withNotes();
    await writeFile(specFile, spec({ maxLength: 8, note: "It.", version: "2.0.0" }));
    const { status, stdout } = await run("release", "--date", "2026-02-28");
    expect([status, stdout]).toEqual([
      0,
      "saved spec/openapi.yaml as spec/released/openapi.json, and added 2.0.0 to CHANGELOG.md; commit both\n",
    ]);
    expect(await readFile(changelogFile, "utf8")).toBe(
      firstChangelog.replace("## [Unreleased]\n", `## [Unreleased]\n\n${asEntry}`),
    );
    expect(await released()).toBe("2.0.0");
    expect((await run("diff")).stdout).toContain("Nothing changed for callers.");
  });

  test("with --dry-run prints the entry and writes nothing", async () => {
    await withNotes();
    const before = await readFile(changelogFile, "utf8");
    await writeFile(specFile, spec({ maxLength: 8, note: "It.", version: "2.0.0" }));
    expect(await run("release", "--dry-run", "--date", "2026-02-28")).toEqual({
      status: 0,
      stdout: asEntry,
      stderr: "",
    });
    expect([await readFile(changelogFile, "utf8"), await released()]).toEqual([before, "1.0.0"]);
  });

  test("adds a changelog entry even if the version changes nothing for callers", async () => {
    await writeFile(specFile, spec({ version: "1.0.1" }));
    const { stdout } = await run("release", "--dry-run", "--date", "2026-02-28");
    expect(stdout).toBe("## [1.0.1] - 2026-02-28\n\nNothing changed for callers.\n");
  });

  test.each([
    [
      "has no heading for unreleased changes",
      "# Changes\n",
      "CHANGELOG.md:1:1  the line `## [Unreleased]` is missing; write it above the newest entry",
    ],
    [
      "already has an entry of the version",
      "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n",
      "CHANGELOG.md:5:1  1.1.0 already has an entry; remove it, or set info.version to a higher version",
    ],
  ])("releases nothing if the changelog %s", async (_, text, message) => {
    await writeFile(changelogFile, text);
    await writeFile(specFile, spec({ maxLength: 10, version: "1.1.0" }));
    expect(await run("release")).toEqual({
      status: 2,
      stdout: "",
      stderr: `${message}\nNothing was released.\n`,
    });
    expect([await readFile(changelogFile, "utf8"), await released()]).toEqual([text, "1.0.0"]);
  });
});
