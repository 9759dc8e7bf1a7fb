import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../openapi/document.ts";
import { get, inResponse, ofPath, open, ref, schemas, text, withPaths } from "../testing/notation.ts";
import { specsOf } from "../testing/spec.ts";
import { globPattern } from "./glob.ts";
import { type Selection, selectedParts, unmatched } from "./operations.ts";

describe("a glob", () => {
  test.each([
    ["/users", ["/users"]],
    ["/users/*", ["/users/{id}", "/users/a.b"]],
    ["/users/**", ["/users", "/users/{id}", "/users/{id}/keys", "/users/a.b"]],
    ["/users/{id}", ["/users/{id}"]],
    ["/**/keys", ["/users/{id}/keys"]],
    ["/user*", ["/users"]],
    ["/users/a.*", ["/users/a.b"]],
    ["**/*a.b", ["/users/a.b"]],
  ])("%s matches only %j", (glob, expected) => {
    const paths = ["/", "/users", "/users/{id}", "/users/{id}/keys", "/users/a.b", "/other/aub"];
    expect(paths.filter((path) => globPattern(glob).test(path))).toEqual(expected);
  });
});

const tagged = (tag: string, more: JsonObject = {}): JsonObject => get({ tags: [tag], ...more });
const user = inResponse(ref("User"));
const components = {
  components: { schemas: { User: open({ a: text }), Key: open({ b: text }) }, securitySchemes: { key: {} } },
};
/** The paths with their methods, the webhooks and the components that are left in both documents. */
const selected = async (old: JsonObject, now: JsonObject, selection: Partial<Selection>) =>
  selectedParts(...(await specsOf(old, now)), { paths: [], tags: [], ...selection }).map(({ document }) => {
    const namesOf = (group: unknown): string[] => Object.keys(Object(group));
    const sections = Object.values(Object(document.components)).flatMap(namesOf);
    const paths = Object.entries(Object(document.paths)).map(([path, item]) =>
      [path, ...namesOf(item)].join(" "),
    );
    return [...paths, ...namesOf(document.webhooks), ...sections];
  });

describe("the selection", () => {
  test("keeps the paths that match in one of the documents, what they use, and security schemes", async () => {
    const old = withPaths(
      { "/users/{id}": get({ ...user, ...ofPath("id") }), "/keys": get(inResponse(ref("Key"))) },
      components,
    );
    const now = withPaths(
      { "/users/{name}": get({ ...user, ...ofPath("name") }), "/users": get() },
      components,
    );
    expect(await selected(old, now, { paths: ["/users/{id}"] })).toEqual([
      ["/users/{id} get", "User", "key"],
      ["/users/{name} get", "User", "key"],
    ]);
  });

  test("keeps a path whose base path moved", async () => {
    const server = (url: string): JsonObject => ({ servers: [{ url }] });
    const old = withPaths({ "/v1/a": get(), "/v1/b": get() }, server("https://a.test"));
    const now = withPaths({ "/a": get(), "/b": get() }, server("https://a.test/v1"));
    expect(await selected(old, now, { paths: ["/a"] })).toEqual([["/v1/a get"], ["/a get"]]);
  });

  test("keeps the operations and webhooks that have a tag in one of the documents", async () => {
    const both = { post: { tags: ["x"], responses: {} } };
    const old = withPaths({ "/a": { ...tagged("x"), ...both }, "/b": tagged("y") });
    const now = withPaths(
      { "/a": { ...tagged("y"), ...both }, "/b": tagged("y"), "/c": { $ref: "#/components/pathItems/C" } },
      {
        components: { pathItems: { C: { ...tagged("y"), ...both } } },
        webhooks: { w: tagged("x"), v: tagged("y") },
      },
    );
    expect(await selected(old, now, { tags: ["x"] })).toEqual([
      ["/a get post"],
      ["/a get post", "/c post", "w"],
    ]);
    expect(await selected(old, now, { tags: ["y"], paths: ["/a", "/b"] })).toEqual([
      ["/a get", "/b get"],
      ["/a get", "/b get"],
    ]);
  });
});

test.each([
  [{ paths: ["/users/*", "/users"] }, undefined],
  [{ paths: ["/users/*"], tags: ["admin"] }, undefined],
  [
    { paths: ["/users"], tags: ["admin"] },
    "no operation has one of the paths and one of the tags; leave one of these options out",
  ],
  [{ paths: ["/userz"] }, "no operation has the path `/userz`; did you mean `/users`?"],
  [{ tags: ["accounts", "x"] }, "no operation has the tag `accounts`"],
  [{ tags: ["x", "admins"] }, "no operation has the tag `admins`; did you mean `admin`?"],
])("a path or a tag that no document has is reported: %j", async (selection, message) => {
  const pair = await specsOf(
    withPaths({ "/users": tagged("x") }, schemas({})),
    withPaths({ "/users/{id}": tagged("admin") }),
  );
  expect(unmatched({ paths: [], tags: [], ...selection }, pair)).toBe(message);
});
