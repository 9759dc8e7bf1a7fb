import { describe, expect, it } from "vitest";
import { ContentRequest } from "./content-request.ts";

const url = "http://service.test/";
const contentOf = (request: ContentRequest) => request.text();

describe("a GET with a body", () => {
  it("returns it from text(), json() and arrayBuffer()", async () => {
    const request = new ContentRequest(url, { body: '{"name":"ä"}' });
    expect({
      method: request.method,
      text: await request.text(),
      json: await request.json(),
      bytes: Buffer.from(await request.arrayBuffer()).toString("utf8"),
    }).toEqual({ method: "GET", text: '{"name":"ä"}', json: { name: "ä" }, bytes: '{"name":"ä"}' });
  });

  it.each([
    ["clone()", (request: ContentRequest) => request.clone()],
    ["a clone of its clone", (request: ContentRequest) => request.clone().clone()],
    ["new ContentRequest(request)", (request: ContentRequest) => new ContentRequest(request)],
    [
      "new ContentRequest(request, init)",
      (request: ContentRequest) => new ContentRequest(request, { headers: { a: "b" } }),
    ],
  ])("keeps it in %s, even if it is copied several times", async (_, copy) => {
    const request = new ContentRequest(url, { body: "{}" });
    expect([
      await contentOf(copy(request)),
      await contentOf(request),
      await contentOf(copy(request)),
    ]).toEqual(["{}", "{}", "{}"]);
  });

  it("keeps method, headers and signal in a copy", () => {
    const controller = new AbortController();
    const request = new ContentRequest(url, {
      method: "get",
      body: "{}",
      headers: { a: "b" },
      signal: controller.signal,
    });
    const copy = request.clone();
    controller.abort("enough");
    expect({
      method: copy.method,
      url: copy.url,
      headers: [...copy.headers],
      reason: copy.signal.reason,
    }).toEqual({ method: "GET", url, headers: [["a", "b"]], reason: "enough" });
  });

  it("keeps it in a copy with another method", async () => {
    const request = new ContentRequest(url, { body: "{}" });
    expect(await new ContentRequest(request, { method: "POST" }).text()).toBe("{}");
  });

  it("rejects a body that is not text, because it could be sent only once", () => {
    expect(() => new ContentRequest(url, { body: new Blob(["{}"]) })).toThrow(
      new TypeError("the body of a GET must be text"),
    );
  });

  it("knows if its body was read, from the request or from a copy", async () => {
    const untouched = new ContentRequest(url, { body: "{}" });
    const read = new ContentRequest(url, { body: "{}" });
    await read.text();
    const copied = new ContentRequest(url, { body: "{}" });
    await copied.clone().text();
    expect([untouched, read, copied].map((request) => request.contentLeftBehind)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("any other request", () => {
  it("behaves like Fetch's: a POST has its body in request.body", async () => {
    const request = new ContentRequest(url, { method: "POST", body: "{}" });
    const copies = [request.clone(), request.clone()];
    expect({
      leftBehind: request.contentLeftBehind,
      texts: await Promise.all([request, ...copies].map((each) => each.text())),
      used: request.bodyUsed,
    }).toEqual({ leftBehind: false, texts: ["{}", "{}", "{}"], used: true });
  });
});
