import { expect, it } from "vitest";
import type { Json } from "../../openapi/document.ts";
import { modelOf, usualMediaType } from "../operation-model.ts";
import { bodyVariants } from "./body-variants.ts";

const { operations } = modelOf({
  paths: { "/": { post: { requestBody: { content: { "application/json": { schema: {} } } } } } },
});
const [media] = operations.flatMap((operation) => usualMediaType(operation) ?? []);

const madeOf = (value: Json): { [what: string]: string } => {
  const variants = media === undefined ? [] : bodyVariants([{ media, value }], 100);
  return Object.fromEntries(variants.map(({ what, bytes }) => [what, Buffer.from(bytes).toString()]));
};

it("digits in a string are not changed as if they were a number", () => {
  const at = "2074-06-14T14:05:00Z";
  const { "with a huge number": unchanged, ...others } = madeOf({ at });
  expect(unchanged).toBe(`{"at":"${at}"}`);
  expect(Object.keys(others).filter((what) => /NaN|leading zero|integer/.test(what))).toEqual([]);
  expect(madeOf({ "a\\": at, b: [-1.5, 30] })).toMatchObject({
    "with NaN": `{"a\\\\":"${at}","b":[NaN,30]}`,
    "with a leading zero": `{"a\\\\":"${at}","b":[-01.5,30]}`,
    "with an integer written as 1.0": `{"a\\\\":"${at}","b":[-1.5,30.0]}`,
    "with an integer written as 1e0": `{"a\\\\":"${at}","b":[-1.5,30e0]}`,
    "with a huge number": `{"a\\\\":"${at}","b":[1e400,30]}`,
  });
});

it("a number that is JSON without its last digit is not cut off", () => {
  expect(madeOf(12)).not.toHaveProperty("cut off");
  expect(madeOf("12")).toHaveProperty(["cut off"], '"12');
});
