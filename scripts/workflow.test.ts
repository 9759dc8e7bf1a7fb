/** Checks the hosted workflow as far as this is possible without GitHub. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const text = textOf(".github/workflows/ci.yml");

interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: object;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
const workflow: { readonly permissions: object; readonly jobs: { readonly [name: string]: Job } } =
  parse(text);
const jobs = Object.values(workflow.jobs);
const steps = jobs.flatMap((job) => job.steps);

test("the workflow runs .ci/run, which runs all tests, the audits and the build of the image", () => {
  const commands = steps.map(({ run = "" }) => run);
  expect(commands).toEqual(expect.arrayContaining([".ci/run", "npm audit --omit=dev", "npm audit"]));
  expect(commands.at(-1)).toMatch(/^docker buildx build .* \.$/);
  expect(textOf(".ci/run")).toMatch(/^npm ci\nnpm test$.*^npm run test:slow$/ms);
});

test("the workflow can only read the repository, knows no secrets, and ends", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(jobs.filter(({ permissions }) => permissions !== undefined)).toEqual([]);
  expect(text).not.toMatch(/secrets|github\.token/);
  for (const job of jobs) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
});

test("the workflow uses actions of an exact version", () => {
  for (const { uses } of steps) expect(uses ?? "a@v1.0.0").toMatch(/^\S+@v\d+\.\d+\.\d+$/);
});

test("the workflow resolves the digest of the Dockerfile's base when it runs", () => {
  expect(text).not.toMatch(/sha256:[0-9a-f]{64}/);
  const [command] = /base=\$\(sed .*/.exec(text) ?? [];
  const base = execFileSync("bash", ["-c", `${command}; echo "$base"`], { cwd: root, encoding: "utf8" });
  expect(base).toMatch(/^node:\d+\.\d+\.\d+-\S+\n$/);
});
