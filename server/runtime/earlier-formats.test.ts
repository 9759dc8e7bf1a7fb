/** Serves and calls an API with files that an earlier generator wrote. A new format adds its files to the fixtures. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { format } from "../../generated/operations.ts";
import { contractApp, type HandlerContext } from "./index.ts";
import { createClient } from "./testing/fixtures/format-1/client.ts";
import { contract } from "./testing/fixtures/format-1/contract.ts";
import { type Handlers, handlerMaker } from "./testing/fixtures/format-1/server.ts";

it("the files of this format and of the one before it are kept", () => {
  const formats = [format, format - 1].filter((each) => each > 0);
  expect(
    formats.filter((each) => !existsSync(new URL(`testing/fixtures/format-${each}`, import.meta.url))),
  ).toEqual([]);
});

describe("files of format 1", () => {
  const handler = handlerMaker<HandlerContext<string>>();
  const handlers = {
    replacePet: handler("replacePet", ({ path, body }, { principal }) => ({
      status: 200,
      headers: { "X-Kept": `${principal} ${body.age}` },
      body: { id: path.pet_id, name: body.name, hidden: true } as { id: number },
    })),
  } satisfies Handlers<HandlerContext<string>>;
  const app = contractApp({
    contract,
    handlers,
    authenticate: { key: async (key) => ({ principal: key, roles: [] }) },
  });
  const client = createClient({
    baseUrl: "http://pets.test",
    apiKey: "k1",
    fetch: async (request) => app.fetch(request),
  });

  it("serve valid requests with defaults, and without properties that the document does not declare", async () => {
    const result = await client.replacePet({ params: { path: { pet_id: 3 } }, body: { name: "Rex" } });
    expect(result).toMatchObject({ status: 200, data: { id: 3, name: "Rex" } });
    expect(result.data).not.toHaveProperty("hidden");
    expect(result.response?.headers.get("x-kept")).toBe("k1 1");
  });

  it("reject invalid requests", async () => {
    const result = await client.PUT("/pets/{pet_id}", {
      params: { path: { pet_id: 3 } },
      body: { name: "" },
    });
    expect(result).toMatchObject({
      status: 422,
      error: { problems: [{ in: "body", pointer: "/name", message: "must not be empty" }] },
    });
  });
});
