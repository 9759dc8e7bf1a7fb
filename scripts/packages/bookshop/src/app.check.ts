/** The tests that the app had before: `node --test`, against a server that runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

const url = process.env.URL ?? "";
const ask = (path: string, init?: RequestInit) => fetch(url + path, init);

test("the page, its style and the report are served", async () => {
  const home = await ask("/");
  assert.match(await home.text(), /<title>Bookshop<\/title>/);
  for (const name of [
    "x-request-id",
    "server-timing",
    "x-frame-options",
    "access-control-allow-origin",
    "etag",
  ])
    assert.ok(home.headers.has(name), name);
  assert.match(await (await ask("/public/style.css")).text(), /serif/);
  assert.equal((await ask("/admin/report")).status, 401);
  const headers = { Authorization: "Bearer token-of-the-boss" };
  assert.deepEqual(await (await ask("/admin/report", { headers })).json(), { sold: 3 });
});

test("feedback is read, and a long one is rejected", async () => {
  const send = (text: string) => ask("/feedback", { method: "POST", body: JSON.stringify({ text }) });
  assert.deepEqual(await (await send("good")).json(), { text: "good" });
  assert.equal((await send("a".repeat(200_000))).status, 413);
});

test("unknown paths and errors have pages of the app", async () => {
  const missing = await ask("/nothing");
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /Not found/);
  const broken = await ask("/broken");
  assert.equal(broken.status, 500);
  assert.match(await broken.text(), /Sorry/);
});
