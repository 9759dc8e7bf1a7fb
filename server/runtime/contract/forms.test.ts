import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ParameterContract, Writing } from "#specbind/contract";

/** Counts the blocks of code that run, in this project and in Node's own JavaScript. Time would depend on the machine. */
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

async function stepsOf(run: () => unknown): Promise<number> {
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const blocks = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return blocks.reduce((sum, { count }) => sum + count, 0);
}

// Loops are counted only in modules that are loaded after the counting has begun.
const load = async () => ({
  ...(await import("./forms.ts")),
  ...(await import("./multipart.ts")),
  ...(await import("./parameters.ts")),
});
type Readers = Awaited<ReturnType<typeof load>>;

const object = { properties: {}, others: "string" } as const;
const isValid = (): true => true;
const parameter = (name: string, more: Partial<ParameterContract>): ParameterContract => {
  return { in: "query", name, required: false, type: "string", validate: isValid, ...more };
};
const fieldsOf = (names: readonly string[], field: Writing) =>
  Object.fromEntries(names.map((name) => [name, field]));
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`;

/** Reads the parameters from a query and from cookies that have the same names. */
function readParameters({ parameterReader }: Readers, parameters: ParameterContract[], names: string[]) {
  const [query, cookie] = ["&", "; "].map((end) => names.map((name) => `${name}=1`).join(end));
  const read = parameterReader({ path: "/", parameters });
  return () => read({ path: "/", query: query ?? "", header: () => cookie }, []);
}

it.each<[string, (readers: Readers, names: string[]) => () => unknown]>([
  [
    "a multipart form",
    ({ decodeMultipart }, names) => {
      const body = Buffer.from(`${names.map(part).join("")}--b--\r\n`);
      return () => decodeMultipart(body, "multipart/form-data; boundary=b");
    },
  ],
  [
    "a form with as many declared fields",
    ({ decodeForm }, names) => {
      const text = names.map((name) => `${name}[a]=1&x${name}=1&%zz${name}`).join("&");
      const fields = fieldsOf(names, { type: object, style: "deepObject" });
      return () => decodeForm(text, fields);
    },
  ],
  [
    "a query and cookies with as many declared parameters",
    (readers, names) => {
      const both = (["query", "cookie"] as const).flatMap((place) =>
        names.map((name) => parameter(name, { in: place })),
      );
      return readParameters(readers, both, names);
    },
  ],
  [
    "deep objects in a query and cookies, with as many declared",
    (readers, names) => {
      const both = (["query", "cookie"] as const).flatMap((place) =>
        names.map((name) => parameter(name, { in: place, type: object, style: "deepObject" })),
      );
      return readParameters(
        readers,
        both,
        names.map((name) => `${name}[a]`),
      );
    },
  ],
  [
    "an object in a query and in cookies, next to as many declared parameters",
    (readers, names) => {
      const both = (["query", "cookie"] as const).flatMap((place) => [
        parameter("all", { in: place, type: object }),
        ...names.map((name) => parameter(`other${name}`, { in: place, style: "deepObject" })),
      ]);
      return readParameters(readers, both, names);
    },
  ],
  [
    "malformed names in a query with as many declared parameters",
    (readers, names) => {
      const declared = names.map((name) => parameter(`%zz${name}`, {}));
      return readParameters(
        readers,
        declared,
        names.map((name) => `%zz${name}`),
      );
    },
  ],
  [
    "lists in a header and in a query",
    ({ parameterReader }, names) => {
      const type = { items: "string" } as const;
      const read = parameterReader({
        path: "/",
        parameters: [
          parameter("list", { in: "header", type }),
          parameter("list", { type, style: "pipeDelimited", explode: false }),
          parameter("pairs", { type: object, explode: false }),
        ],
      });
      const query = `list=${names.join("|")}&pairs=${names.map((name) => `${name},1`).join()}`;
      return () => read({ path: "/", query, header: () => names.join() }, []);
    },
  ],
])("the work for %s grows with its length, not faster", async (_, prepare) => {
  const readers = await load();
  const steps: number[] = [];
  // The first run also counts what is loaded once.
  for (const count of [4, 4, 40, 400]) {
    const run = prepare(
      readers,
      Array.from({ length: count }, (_, index) => `n${index}`),
    );
    steps.push(await stepsOf(run));
  }
  const [, first = 0, second = 0, third = 0] = steps;
  expect(second / first).toBeLessThan(10.5);
  expect(third / second).toBeLessThan(10.5);
});

it("names of an object's prototype are ordinary names", async () => {
  const { decodeForm, decodeMultipart, parameterReader } = await load();
  const names = ["__proto__", "constructor", "toString"];
  const own = Object.fromEntries(names.map((name) => [name, "1"]));
  const text = names.map((name) => `${name}=1`).join("&");
  expect(decodeForm(text).value).toEqual(own);
  const body = Buffer.from(`${names.map(part).join("")}--b--\r\n`);
  const { value, withBytes } = await decodeMultipart(body, "multipart/form-data; boundary=b");
  expect([value, withBytes?.(value)]).toEqual([own, own]);
  const read = parameterReader({ path: "/", parameters: [parameter("all", { type: object })] });
  expect(read({ path: "/", query: text, header: () => undefined }, []).query).toEqual({ all: own });
});
