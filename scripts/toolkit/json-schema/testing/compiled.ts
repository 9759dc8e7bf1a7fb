/** Compiles schemas and loads the generated modules, for the tests of this folder. */
import { compileValidators, type SchemaUse } from "../compile.ts";

export interface Problem {
  pointer: string;
  message: string;
}

export type Emitted = Record<string, (value: unknown, problems?: Problem[]) => unknown>;

/** Imports the text as an ES module. Equal texts give the same module. */
export async function load(code: string): Promise<Emitted> {
  return await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

/** Compiles the schema `Root` as a request and as a response. @param others other components */
export async function compileRoot(root: unknown, others: Record<string, unknown> = {}) {
  const schemas = { Root: root, ...others };
  const pointer = "/components/schemas/Root";
  const entries: SchemaUse[] = [
    { name: "In", pointer, use: "request" },
    { name: "Out", pointer, use: "response" },
  ];
  const { code, unenforceable } = compileValidators({ components: { schemas } }, entries);
  const emitted = await load(code);
  return {
    code,
    // The rules are checked in other tests.
    unenforceable: unenforceable.map(({ pointer, message }) => ({ pointer, message })),
    problemsOf: (value: unknown) => {
      const problems: Problem[] = [];
      const holds = emitted.validateIn?.(value, problems);
      if (holds !== (problems.length === 0)) throw new Error("the result and the problems disagree");
      return problems;
    },
    complete: (value: unknown) => emitted.completeIn?.(value),
    project: (value: unknown) => emitted.projectOut?.(value),
  };
}
