import { describe, expect, it } from "vitest";
import { secretsIn } from "./secrets.ts";

const nothing = { header: () => undefined, query: () => [], path: {}, body: undefined };
const names = ["Authorization", "X-Door", "pin", "toString"];

describe("the secrets of a request", () => {
  it("are all strings and numbers below a sensitive name, anywhere in the body", () => {
    const body = {
      pin: "1111",
      shelf: { PIN: 2222, book: [{ pin: ["3333", { page: "4444", open: true, left: null }] }] },
      title: "not this",
    };
    expect(secretsIn({ ...nothing, body }, names).toSorted()).toEqual(["1111", "2222", "3333", "4444"]);
  });

  it("are the whole header, and separately the credential in it", () => {
    const headers: Record<string, string> = { authorization: "Bearer abc", "x-door": "green", other: "no" };
    expect(secretsIn({ ...nothing, header: (name) => headers[name] }, names)).toEqual([
      "Bearer abc",
      "abc",
      "green",
    ]);
  });

  it("are found in the path and in the query, even if a name is repeated", () => {
    const query = (name: string) => (name === "pin" ? ["5555", "6666"] : []);
    expect(secretsIn({ ...nothing, query, path: { pin: "7777", shelf: "no" } }, names)).toEqual([
      "5555",
      "6666",
      "7777",
    ]);
  });

  it("include every value of the body if the whole body is sensitive", () => {
    expect(secretsIn({ ...nothing, body: "the text" }, [""])).toEqual(["the text"]);
    expect(secretsIn({ ...nothing, body: ["a", { b: "c" }] }, [""]).toSorted()).toEqual(["a", "c"]);
  });

  it("are an empty list if nothing is sent, and never include an empty string", () => {
    expect(secretsIn(nothing, names)).toEqual([]);
    expect(secretsIn({ ...nothing, body: { pin: "" } }, names)).toEqual([]);
  });

  it("are found at any depth", () => {
    const body = JSON.parse(`${"[".repeat(50_000)}{"pin":"8888"}${"]".repeat(50_000)}`);
    expect(secretsIn({ ...nothing, body }, names)).toEqual(["8888"]);
  });
});
