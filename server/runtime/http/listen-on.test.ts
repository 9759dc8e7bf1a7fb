import { createServer } from "node:http";
import { expect, it } from "vitest";
import { listenOn } from "./listen-on.ts";

it("a port that is in use is an error of the system", async () => {
  await using first = createServer();
  const url = await listenOn(first, { host: "127.0.0.1", port: 0 });
  const port = Number(new URL(url).port);
  await expect(listenOn(createServer(), { host: "127.0.0.1", port })).rejects.toMatchObject({
    code: "EADDRINUSE",
    port,
  });
});
