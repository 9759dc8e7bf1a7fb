/** Tests that special characters in a value never split it or move it to another part of the request. */
import { describe, expect, it } from "vitest";
import type { ParameterDescription } from "#specbind/contract";
import { writePath, writeQuery } from "./parameters.ts";

/** Contains all special characters of a path or query, one character outside ASCII, and one outside 16 bits. */
const hostile = "a/b?c#d%2Fe&f=g;h,i+j k.é😀";
const escaped = "a%2Fb%3Fc%23d%252Fe%26f%3Dg%3Bh%2Ci%2Bj%20k.%C3%A9%F0%9F%98%80";

type Written = Omit<ParameterDescription, "in" | "name">;

describe("a value of a path", () => {
  it.each<[how: string, written: Written, value: unknown, want: string]>([
    ["as a plain value", {}, hostile, escaped],
    ["as a list", {}, [hostile, "b"], `${escaped},b`],
    ["as an object", {}, { [hostile]: hostile }, `${escaped},${escaped}`],
    ["as an exploded object", { explode: true }, { [hostile]: hostile }, `${escaped}=${escaped}`],
    ["as a label", { style: "label" }, hostile, `.${escaped}`],
    ["as a matrix", { style: "matrix" }, hostile, `;id=${escaped}`],
    ["as JSON", { mediaType: "application/json" }, { a: "/?" }, "%7B%22a%22%3A%22%2F%3F%22%7D"],
    ["as text", { mediaType: "text/plain" }, hostile, escaped],
  ])("is escaped if it is written %s", (_, written, value, want) => {
    const parameters = [{ in: "path", name: "id", ...written }] as const;
    expect(writePath("/notes/{id}/of", parameters, { id: value })).toBe(`/notes/${want}/of`);
  });
});

it("a parameter with the name of an inherited property stays unfilled if it has no value", () => {
  expect(writePath("/{constructor}/{id}", [], { id: 1 })).toBe("/{constructor}/1");
});

describe("a value of a query", () => {
  it.each<[how: string, written: Written, value: unknown, want: string]>([
    ["as a plain value", {}, hostile, `q=${escaped}`],
    ["as a list", {}, [hostile, "b"], `q=${escaped}&q=b`],
    ["as a list in one parameter", { explode: false }, [hostile, "b"], `q=${escaped},b`],
    ["as an exploded object", {}, { [hostile]: hostile }, `${escaped}=${escaped}`],
    ["as a deep object", { style: "deepObject" }, { [hostile]: hostile }, `q[${escaped}]=${escaped}`],
    ["as JSON", { mediaType: "application/json" }, [hostile], `q=%5B%22${escaped}%22%5D`],
  ])("is escaped if it is written %s", (_, written, value, want) => {
    expect(writeQuery([{ in: "query", name: "q", ...written }], { q: value })).toBe(want);
  });

  it("is escaped, as is its name, and is left out if it is undefined", () => {
    expect(writeQuery([], { [hostile]: "v", absent: undefined })).toBe(`${escaped}=v`);
  });
});
