import { describe, expect, it } from "vitest";
import { secretReader } from "./secrets.ts";

const names = ["Authorization", "X-Door", "pin", "toString"];
const nothing = { header: () => undefined, query: "", path: "/shelves/1/7777" };
const read = secretReader("/shelves/{shelf}/{book}", names);

describe("the secrets of a request", () => {
  it("are all strings and numbers below a sensitive name, anywhere in the body", () => {
    const body = {
      pin: "1111",
      shelf: { PIN: 2222, book: [{ pin: ["3333", { page: "4444", open: true, left: null }] }] },
      title: "not this",
    };
    expect(read(nothing, body).toSorted()).toEqual(["1111", "2222", "3333", "4444"]);
  });

  it("are the whole header, and separately the credential in it", () => {
    const headers: Record<string, string> = { authorization: "Bearer abc", "x-door": "green", other: "no" };
    const request = { ...nothing, header: (name: string) => headers[name] };
    expect(read(request, undefined)).toEqual(["Bearer abc", "abc", "green"]);
  });

  it("are found in the path and in the query, even if a name is repeated or the query is JSON", () => {
    const ofBooks = secretReader("/shelves/{shelf}/{pin}", names);
    expect(ofBooks({ ...nothing, query: "pin=5+5&x=no&pin=6666" }, undefined)).toEqual([
      "5 5",
      "6666",
      "7777",
    ]);
    expect(read({ ...nothing, query: '{"pin":"5555"}' }, undefined)).toEqual(["5555"]);
  });

  it("include every value of the body if the whole body is sensitive", () => {
    const ofBody = secretReader("/", [""]);
    expect(ofBody(nothing, "the text")).toEqual(["the text"]);
    expect(ofBody(nothing, ["a", { b: "c" }]).toSorted()).toEqual(["a", "c"]);
  });

  it("are an empty list if nothing is sent, and never include an empty string", () => {
    expect(read(nothing, undefined)).toEqual([]);
    expect(read(nothing, { pin: "" })).toEqual([]);
  });

  it("are found at any depth", () => {
    const body = JSON.parse(`${"[".repeat(50_000)}{"pin":"8888"}${"]".repeat(50_000)}`);
    expect(read(nothing, body)).toEqual(["8888"]);
  });
});
