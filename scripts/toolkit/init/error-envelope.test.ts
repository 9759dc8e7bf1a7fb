import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { readInterface } from "../mock/start-mock.ts";
import { errorEnvelopeOf } from "./error-envelope.ts";

const file = join(temporaryFolder(), "books.json");

/** The code for a document in which two of three errors have this body. */
async function envelopeFor(mediaType: string, schema: object): Promise<string | undefined> {
  const usual = { description: "Wrong.", content: { [mediaType]: { schema } } };
  const other = { description: "Other.", content: { "application/json": { schema: { type: "boolean" } } } };
  const responses = { 200: { description: "Done." }, 404: other, "4XX": usual, default: usual };
  const paths = { "/books": { get: { operationId: "listBooks", responses } } };
  const document = { openapi: "3.1.1", info: { title: "Books", version: "1" }, paths };
  await writeFile(file, JSON.stringify(document));
  const read = await readInterface(file);
  return errorEnvelopeOf(read.document, read.contract)?.code;
}

const object = (properties: object, others: object = {}) => ({
  type: "object",
  required: Object.keys(properties),
  properties: { ...properties, ...others },
  additionalProperties: false,
});
const text = { type: "string" };

it("the errors have the code, the text and the status in the form of most errors of the document", async () => {
  const error = object({ code: { type: "integer" }, message: text, kind: { enum: ["api"] } }, { hint: text });
  expect(await envelopeFor("application/json", object({ error }))).toBe(
    `/** The errors that no handler returns, in the form of the document's other errors. */
const errorEnvelope: ErrorEnvelope = ({ status, message, headers }) => ({
  status,
  headers: { "Content-Type": "application/json", ...headers },
  body: { error: { code: status, message: message, kind: "api" } },
});
`,
  );
  const codes = object({ error_code: text, request_id: { type: "string", format: "uuid" } });
  expect(await envelopeFor("application/vnd.books+json", codes)).toContain(
    "body: { error_code: code, request_id: requestId },",
  );
  const errors = { type: "array", items: { type: "object", properties: { message: text, path: text } } };
  expect(await envelopeFor("application/json", { type: "object", properties: { errors } })).toContain(
    "body: { errors: [{ message: message }] },",
  );
});

it("the errors stay problem details if the document has these or allows everything", async () => {
  const title = { type: "object", required: ["title"], properties: { title: text } };
  expect(await envelopeFor("application/problem+json", title)).toBe(undefined);
  expect(await envelopeFor("application/json", {})).toContain(
    'return { ...response, headers: { ...headers, "Content-Type": "application/json" } };',
  );
});

it("a document whose errors have no usual property gets no code", async () => {
  expect(await envelopeFor("application/json", object({ colour: text }))).toBe(undefined);
  expect(await envelopeFor("text/plain", text)).toBe(undefined);
});
