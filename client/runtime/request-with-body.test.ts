import { describe, expect, it } from "vitest";
import { RequestWithBody } from "./request-with-body.ts";

const url = "http://service.test/";

describe("a GET with a body", () => {
  it("returns it from text(), json() and arrayBuffer()", async () => {
    const request = new RequestWithBody(url, { body: '{"name":"ä"}' });
    expect({
      method: request.method,
      text: await request.text(),
      json: await request.json(),
      bytes: Buffer.from(await request.arrayBuffer()).toString("utf8"),
    }).toEqual({ method: "GET", text: '{"name":"ä"}', json: { name: "ä" }, bytes: '{"name":"ä"}' });
  });

  it.each([
    ["clone()", (request: RequestWithBody) => request.clone()],
    ["new RequestWithBody(request)", (request: RequestWithBody) => new RequestWithBody(request)],
    [
      "new RequestWithBody(request, init)",
      (request: RequestWithBody) => new RequestWithBody(request, { method: "POST" }),
    ],
  ])("keeps it in %s, even in a copy of a copy", async (_, copy) => {
    const request = new RequestWithBody(url, { body: "{}" });
    const copies = [copy(copy(request)), request, copy(request)];
    expect(await Promise.all(copies.map((each) => each.text()))).toEqual(["{}", "{}", "{}"]);
  });

  it("keeps method, headers and signal in a copy", () => {
    const controller = new AbortController();
    const request = new RequestWithBody(url, {
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

  it("is possible with HEAD too", async () => {
    const request = new RequestWithBody(url, { method: "HEAD", body: "{}" });
    expect([request.method, await request.clone().text()]).toEqual(["HEAD", "{}"]);
  });

  it("rejects a body that is not text, because it could be sent only once", () => {
    expect(() => new RequestWithBody(url, { body: new Blob(["{}"]) })).toThrow(
      new TypeError("the body of a GET must be text"),
    );
  });

  it("knows if its body was read, even from a copy", async () => {
    const copied = new RequestWithBody(url, { body: "{}" });
    expect(copied.isBodyUnread).toBe(true);
    await copied.clone().text();
    expect(copied.isBodyUnread).toBe(false);
  });
});

describe("any other request", () => {
  it("behaves like Fetch's: a POST has its body in request.body", async () => {
    const request = new RequestWithBody(url, { method: "POST", body: "{}" });
    const copies = [request.clone(), request.clone()];
    expect({
      leftBehind: request.isBodyUnread,
      texts: await Promise.all([request, ...copies].map((each) => each.text())),
      used: request.bodyUsed,
    }).toEqual({ leftBehind: false, texts: ["{}", "{}", "{}"], used: true });
  });
});
