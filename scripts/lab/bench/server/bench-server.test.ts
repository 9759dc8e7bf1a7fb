/** What the bench of the servers stands on: a load that counts rightly, and figures that say what was measured. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chart } from "./chart.ts";
import { Child } from "./child.ts";
import type { Figures } from "./figures.ts";
import type { Load, Loaded } from "./load.ts";
import { markdown } from "./report.ts";

const loadProgram = fileURLToPath(new URL("load.ts", import.meta.url));
const counter = "0000000000";
const content = JSON.stringify({ title: counter });
const request = ["POST / HTTP/1.1", "Host: 127.0.0.1", `Content-Length: ${content.length}`, "", content].join(
  "\r\n",
);

describe("the load", () => {
  it("counts every answer once, whether sized or chunked, and those that are not 200 by their status", async () => {
    const received: string[] = [];
    const statuses: number[] = [];
    const server = createServer(async (incoming, outgoing) => {
      const chunks: string[] = [];
      for await (const chunk of incoming.setEncoding("utf8")) chunks.push(chunk);
      received.push(JSON.parse(chunks.join("")).title);
      const status = received.length % 3 === 0 ? 503 : 200;
      statuses.push(status);
      outgoing.writeHead(status);
      // More than one chunk where the number is even.
      if (received.length % 2 === 0) outgoing.write("{}");
      outgoing.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using asker = new Child("the load", [loadProgram]);
    const { port } = server.address() as AddressInfo;
    const load: Load = {
      ports: [port],
      connections: 3,
      ms: 200,
      request,
      counterAt: request.indexOf(counter),
    };
    const { loaded } = await asker.ask<{ loaded: Loaded }>(load);
    server.close();
    expect(loaded.requests).toBe(received.length);
    expect(new Set(received).size).toBe(received.length);
    expect(loaded.refused).toEqual({ "503": statuses.filter((status) => status === 503).length });
  });

  it("asks each of several servers by its share of the connections, for numbers of the given ones alone", async () => {
    const received: string[][] = [[], []];
    const servers = received.map((titles) =>
      createServer(async (incoming, outgoing) => {
        const chunks: string[] = [];
        for await (const chunk of incoming.setEncoding("utf8")) chunks.push(chunk);
        titles.push(JSON.parse(chunks.join("")).title);
        outgoing.end("{}");
      }),
    );
    for (const server of servers)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using asker = new Child("the load", [loadProgram]);
    const ports = servers.map((server) => (server.address() as AddressInfo).port);
    const drawnFrom = { first: 1_000_000_001, count: 3 };
    const load: Load = {
      ports,
      connections: 2,
      ms: 200,
      request,
      counterAt: request.indexOf(counter),
      drawnFrom,
    };
    const { loaded } = await asker.ask<{ loaded: Loaded }>(load);
    for (const server of servers) server.close();
    expect(received.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(loaded.requests).toBe(received.flat().length);
    expect([...new Set(received.flat())].toSorted()).toEqual(["1000000001", "1000000002", "1000000003"]);
  });

  it("says which server ended a connection", async () => {
    const server = createServer((incoming) => incoming.socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using asker = new Child("the load", [loadProgram]);
    const { port } = server.address() as AddressInfo;
    const answer = await asker.ask({ ports: [port], connections: 1, ms: 200, request });
    server.close();
    expect(answer).toEqual({ fault: `Error: the server at ${port} closed a connection` });
  });
});

describe("the figures in docs/performance", () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../../../docs/performance/${name}`, import.meta.url), "utf8");

  it("are those of figures.json, in the tables and in the chart", () => {
    const figures: Figures = JSON.parse(read("figures.json"));
    expect(read("figures.md")).toBe(markdown(figures));
    expect(read("chart.svg")).toBe(chart(figures));
  });
});
