/** Checks a service that needs a certificate, over TLS. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { authority, client, server as identity } from "../../../server/runtime/http/testing/certificates.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { conform } from "./run-conform.ts";

const text = { "application/json": { schema: { type: "string" }, example: "a" } };
const responses = {
  200: { description: "Done.", content: text },
  401: { description: "No credential.", content: text },
};
const get = (operationId: string, ...security: object[]) => ({ get: { operationId, security, responses } });
const document = {
  openapi: "3.1.1",
  info: { title: "Partners", version: "1.0.0" },
  paths: {
    "/certificate": get("byCertificate", { partner: [] }),
    "/either": get("byEither", { partner: [] }, { key: [] }),
    "/both": get("byBoth", { partner: [], key: [] }),
  },
  components: {
    securitySchemes: {
      partner: { type: "mutualTLS" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
    },
  },
};
const spec = join(temporaryFolder(), "partners.json");

let checksCertificates = true;
const service = createServer(
  { ...identity, ca: authority, requestCert: true, rejectUnauthorized: false },
  ({ url, method, headers, socket }, response) => {
    const hasCertificate = (socket as TLSSocket).authorized || !checksCertificates;
    const hasKey = headers["x-key"] === "k-1";
    const isAllowed: { readonly [path: string]: boolean } = {
      "/certificate": hasCertificate,
      "/either": hasCertificate || hasKey,
      "/both": hasCertificate && hasKey,
    };
    const allowed = isAllowed[url?.split("?")[0] ?? ""];
    const status = allowed === undefined ? 404 : method !== "GET" ? 405 : allowed ? 200 : 401;
    response.writeHead(status, {
      "content-type": "application/json",
      allow: "GET",
      "www-authenticate": "ApiKey",
    });
    response.end('"a"');
  },
);
let url = "";
beforeAll(async () => {
  writeFileSync(spec, JSON.stringify(document));
  await once(service.listen(0, "127.0.0.1"), "listening");
  url = `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => service.close());
beforeEach(() => {
  checksCertificates = true;
});

async function run(tls: object, key = "k-1") {
  const shown: string[] = [];
  const write = (line: string) => shown.push(line);
  const status = await conform(
    {
      ...{ spec, url, tls: { ca: authority, ...tls }, headers: [["X-Key", key]], generate: true, seed: 1 },
      ...{ lenient: false, thorough: false, only: [], mayReject: false, strict: false, format: "text" },
    },
    { stdout: { write }, stderr: { write }, isColoured: false },
  );
  return { status, text: shown.join("") };
}

it("a service that checks certificates and keys conforms", async () => {
  const { status, text } = await run(client);
  expect(text).not.toContain("no request succeeded");
  expect(status).toBe(0);
});

it("without a certificate, the operations that need one are listed", async () => {
  const { status, text } = await run({});
  expect(status).toBe(0);
  const listed = [...text.matchAll(/^note +(\w+): no request succeeded \(401, 405\)/gm)].map(([, id]) => id);
  expect(listed).toEqual(["byCertificate", "byBoth"]);
  expect(text).toContain("or a certificate in --cert and --key");
});

it("a service that ignores certificates does not conform", async () => {
  checksCertificates = false;
  const { status, text } = await run({});
  expect(status).toBe(1);
  expect(text).toMatch(/byCertificate[\s\S]*without a credential/);
});
