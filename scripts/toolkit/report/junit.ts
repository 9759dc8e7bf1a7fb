/** Writes JUnit XML, for servers that show the results of tests. */
import { visible } from "../openapi/spec-problems.ts";

export interface TestCase {
  /** What the case belongs to, such as a rule or an operation. */
  readonly group: string;
  readonly name: string;
  readonly failure?: { readonly message: string; readonly text: string } | undefined;
  readonly isSkipped?: boolean;
}

export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly output?: string;
}

export function junit(suites: readonly TestSuite[]): string {
  const lines = suites.flatMap(({ name, cases, output }) => [
    `<testsuite name="${xml(name)}" ${countsOf(cases)}>`,
    ...cases.map(caseOf),
    ...(output === undefined ? [] : [`<system-out>${xml(output)}</system-out>`]),
    "</testsuite>",
  ]);
  const head = `<testsuites ${countsOf(suites.flatMap(({ cases }) => cases))}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, "</testsuites>", ""].join("\n");
}

function countsOf(cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter(({ isSkipped }) => isSkipped).length;
  return `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
}

function caseOf({ group, name, failure, isSkipped }: TestCase): string {
  const head = `<testcase classname="${xml(group)}" name="${xml(visible(name))}"`;
  if (failure === undefined) return isSkipped ? `${head}><skipped/></testcase>` : `${head}/>`;
  return `${head}><failure message="${xml(visible(failure.message))}">${xml(failure.text)}</failure></testcase>`;
}

/** XML 1.0 has no control characters except tabs and line breaks (section 2.2). */
function xml(text: string): string {
  const escapes: { readonly [character: string]: string } = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll(/[&<>"]/g, (each) => escapes[each] ?? each);
}
