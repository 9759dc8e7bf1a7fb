import { expect, it } from "vitest";
import { shareBytes } from "../contract/bind.ts";
import { publishedDocuments } from "./published-document.ts";

it("publishes each document at its path, without white space", () => {
  const documents = { "/openapi.json": { openapi: "3.1.1" }, "/openapi-3.2.json": { openapi: "3.2.0" } };
  const published = Object.entries(publishedDocuments(documents)).map(([path, respond]) => [
    path,
    respond("r", () => undefined),
  ]);
  expect(published).toEqual([
    ["/openapi.json", { status: 200, body: shareBytes('{"openapi":"3.1.1"}') }],
    ["/openapi-3.2.json", { status: 200, body: shareBytes('{"openapi":"3.2.0"}') }],
  ]);
});
