/** Compares this generator with others. Measures whole processes, from document to files, in interleaved rounds. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { growthTable } from "./growth.ts";
import * as measure from "./measure.ts";
import { installPeers, peersFolder, root, titleOf } from "./peers.ts";

const githubApi = "node_modules/@octokit/openapi/generated/api.github.com.json";
const olderGithubApi = "node_modules/octokit-openapi-22/generated/api.github.com.json";
const documents: readonly (readonly [name: string, path: string])[] = [
  [`GitHub's API (${titleOf("@octokit/openapi")}, 13 MB)`, join(peersFolder, githubApi)],
  ["this service (spec/openapi.yaml)", join(root, "spec/openapi.yaml")],
];

const generators = [
  {
    name: "openapi-typescript",
    makes: "types",
    args: (document: string, out: string) => [
      join(root, "node_modules/openapi-typescript/bin/cli.js"),
      ...[document, "--output", join(out, "types.ts")],
    ],
  },
  {
    name: "this generator",
    makes: "types, validators, contract",
    args: (document: string, out: string) => [
      join(root, "scripts/generate.ts"),
      ...["--spec", document, "--out", out, "--lenient"],
    ],
  },
  {
    name: titleOf("@hey-api/openapi-ts", "Hey API"),
    makes: "types, zod schemas",
    args: (document: string, out: string) => [
      join(peersFolder, "node_modules/@hey-api/openapi-ts/dist/run.mjs"),
      ...["-i", document, "-o", out, "--plugins", "@hey-api/typescript", "zod", "--no-log-file"],
    ],
  },
];

export async function bench({ quick, rounds = quick ? 1 : 5 }: measure.BenchOptions): Promise<string> {
  installPeers();
  const work = measure.workFolder();
  let text = "";
  for (const [name, path] of documents) text += `**${name}**\n\n${measuredTable(name, path, rounds, work)}\n`;
  text += `**${diffTitle}**: ${diffSeconds(rounds, work)} seconds\n\n`;
  return `${text}Median (least–most) of ${rounds} interleaved rounds after a warm-up round. ${measure.machine()}.

**this generator, by the number of operations**

${growthTable(rounds, work)}`;
}

const diffTitle = "`npm run diff` of two releases of GitHub's API (22.0.0 and 23.0.2)";

function diffSeconds(rounds: number, work: string): string {
  const [older, newer] = [olderGithubApi, githubApi].map((path) => join(peersFolder, path));
  const args = [join(root, "scripts/diff.ts"), "--lenient", "--base", older ?? "", "--spec", newer ?? ""];
  const seconds = Array.from({ length: rounds }, (_, round) => {
    console.error(`${diffTitle}, round ${round + 1} of ${rounds}`);
    return measure.timed(args, work).ms / 1000;
  });
  return measure.spread(measure.summaryOf(seconds), 2);
}

function measuredTable(title: string, path: string, rounds: number, work: string): string {
  const seconds: number[][] = generators.map(() => []);
  const sizes: number[] = [];
  const out = join(work, "out");
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, { name, args }] of generators.entries()) {
      console.error(`${title}, round ${round} of ${rounds}: ${name}`);
      const { ms } = measure.timed(args(path, out), work);
      if (round === 0) sizes[index] = sizeOf(out);
      else seconds[index]?.push(ms / 1000);
      rmSync(out, { recursive: true, force: true });
    }
  const summaries = seconds.map(measure.summaryOf);
  const rows = generators.map(({ name, makes }, index) => {
    const [own, first] = [summaries[index], summaries[0]];
    if (own === undefined || first === undefined) throw new Error("a generator has no summary");
    const ratio = (own.median / first.median).toFixed(2);
    return [name, makes, ratio, measure.spread(own, 2), ((sizes[index] ?? 0) / 1e6).toFixed(2)];
  });
  return measure.table(["program", "makes", "ratio", "seconds", "output MB"], rows);
}

function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return paths.reduce((sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0), 0);
}
