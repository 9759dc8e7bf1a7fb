/** Types and validators must agree for random schemas, so both get the same valid and invalid values. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Contract, Problem } from "#specbind/contract";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { typeErrors } from "../../testing/type-errors.ts";
import type { Json } from "../openapi/document.ts";
import { generate } from "./pipeline.ts";
import {
  documentOf,
  type Mutation,
  mutationsOf,
  type Node,
  randomRoots,
  type Side,
} from "./testing/random-schemas.ts";

/** Each seed makes other schemas. The title of a failed test contains its seed. */
const seed = Number(process.env.AGREEMENT_SEED ?? 1);
const rootCount = 40;
const valuesEach = 2;
const mutationsEach = 8;

interface Case {
  readonly root: number;
  readonly side: Side;
  readonly value: Json;
  readonly mutations: readonly Mutation[];
}

const folder = temporaryFolder();
let roots: readonly Node[];
let cases: readonly Case[];
let contract: Contract;
let document: Json;
beforeAll(async () => {
  roots = randomRoots(rootCount, seed);
  cases = roots.flatMap((root, index) => casesOf(root, index));
  document = documentOf(roots);
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  const files = await generate(join(folder, "openapi.json"));
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  ({ contract } = await import(/* @vite-ignore */ join(folder, "contract.ts")));
});

function casesOf(root: Node, index: number): Case[] {
  return (["sent", "returned"] as const).flatMap((side) =>
    fc.sample(root.values(side, 3), { seed: seed + index, numRuns: valuesEach }).map((value) => {
      const mutations = mutationsOf(root, value, side);
      const step = Math.max(1, mutations.length / mutationsEach);
      const chosen = mutations.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
      return { root: index, side, value, mutations: chosen };
    }),
  );
}

function mediaOf(root: number) {
  const { requestBody, responses } = contract.operations[`root${root}`] ?? {};
  return {
    sent: requestBody?.mediaTypes["application/json"],
    returned: responses?.[200]?.mediaTypes["application/json"],
  };
}

function problemsOf({ root, side }: Case, value: Json): Problem[] {
  const problems: Problem[] = [];
  mediaOf(root)[side]?.validate?.(value, problems);
  return problems;
}

function completed({ root }: Case, value: Json): unknown {
  const copy = structuredClone(value);
  return mediaOf(root).sent?.complete?.(copy) ?? copy;
}

function projected({ root }: Case, value: Json): unknown {
  const project = mediaOf(root).returned?.project;
  return project === undefined ? value : project(value);
}

/** The schema and the schemas that it refers to, for the message of a failure. */
function shown(root: number): string {
  const { components } = document as { components: { schemas: { [name: string]: Json } } };
  const used = new Set([`Root${root}`]);
  // The loop also visits names that are added to the Set while it runs.
  for (const name of used)
    for (const [, other = ""] of JSON.stringify(components.schemas[name]).matchAll(/schemas\/(\w+)"/g))
      used.add(other);
  return JSON.stringify(Object.fromEntries([...used].map((name) => [name, components.schemas[name]])));
}

test(`validators accept valid values, and report the place of each problem in others (seed ${seed})`, () => {
  const problems = cases.flatMap((each) => {
    const admitted = each.side === "returned" ? projected(each, each.value) : each.value;
    const rejected = problemsOf(each, each.value);
    return [
      ...(rejected.length > 0 ? [{ what: "a valid value", value: each.value, rejected }] : []),
      ...(JSON.stringify(admitted) === JSON.stringify(each.value)
        ? []
        : [{ what: "a valid value loses properties", value: each.value, admitted }]),
      ...each.mutations.flatMap((mutation) => faultOf(each, mutation)),
    ].map((problem) => ({ ...problem, side: each.side, schema: shown(each.root) }));
  });
  expect(problems.slice(0, 3)).toEqual([]);
});

function faultOf(each: Case, { what, value, pointer }: Mutation) {
  const problems = problemsOf(each, value);
  const isReported = problems.some((problem) => problem.pointer === pointer);
  const isAccess = what === "readOnly property";
  const names = !isAccess || problems.some(({ message }) => message === "is read-only; leave it out");
  const leaks =
    what === "writeOnly property" && JSON.stringify(projected(each, value)) !== JSON.stringify(each.value);
  return isReported && names && !leaks ? [] : [{ what, value, pointer, problems, leaks }];
}

test(`the compiler accepts valid values, and rejects invalid ones (seed ${seed})`, async () => {
  const lines = [
    `import type { OperationRequest, OperationResponse } from ${JSON.stringify(resolve("server/runtime/contract/handlers.ts"))};`,
    `import type { DocumentedResult } from ${JSON.stringify(resolve("client/runtime/result.ts"))};`,
    `import type { OperationInit } from ${JSON.stringify(resolve("client/runtime/call-types.ts"))};`,
    'import type { operations, received } from "./types.ts";',
    "type Requests = Omit<operations, keyof received['operations']> & received['operations'];",
    ...roots.flatMap((_, index) => [
      `type Sent${index} = OperationInit<operations["root${index}"]>["body"];`,
      `type Received${index} = OperationRequest<Requests["root${index}"]>["body"];`,
      `type Returned${index} = OperationResponse<operations["root${index}"]>["body"];`,
      `type Result${index} = Extract<DocumentedResult<operations["root${index}"]>, { status: 200 }>["data"];`,
    ]),
  ];
  const meant = new Map<number, { what: string; holds: boolean; each: Case }>();
  const line = (each: Case, type: string, value: unknown, what: string, holds: boolean): void => {
    meant.set(lines.length, { what, holds, each });
    lines.push(`({ is: ${JSON.stringify(value)} }) satisfies { is: ${type}${each.root} };`);
  };
  for (const each of cases) {
    line(each, each.side === "sent" ? "Sent" : "Returned", each.value, "a valid value", true);
    if (each.side === "sent") {
      const received = completed(each, each.value);
      line(each, "Received", received, "a received value", true);
      if (JSON.stringify(received) !== JSON.stringify(each.value))
        line(each, "Received", each.value, "a received value without its default", false);
    } else line(each, "Result", each.value, "a value that the client read", true);
    for (const { what, value } of each.mutations)
      line(each, each.side === "sent" ? "Sent" : "Returned", value, what, false);
  }
  await writeFile(join(folder, "values.ts"), lines.join("\n"));
  const errors = errorsByLine(join(folder, "values.ts"));
  const problems = [...meant].flatMap(([at, { what, holds, each }]) =>
    errors.has(at) === holds
      ? [{ what, line: lines[at], error: errors.get(at), schema: shown(each.root) }]
      : [],
  );
  expect(problems.slice(0, 3)).toEqual([]);
  expect([...errors.keys()].filter((at) => !meant.has(at))).toEqual([]);
});

function errorsByLine(file: string): Map<number, string> {
  return new Map(
    typeErrors([file]).map((error) =>
      error.file === file ? [error.line - 1, error.message] : [-1, `${error.file}: ${error.message}`],
    ),
  );
}
