import { describe, expect, it } from "vitest";
import { type Store, StoreUnavailableError } from "../../store/store.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { createReadiness } from "./readiness.ts";

const probeId = "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11";
const ready = (service: TestService) =>
  service.send({ method: "GET", path: "/readyz", headers: { "x-request-id": probeId } });
const withWrites = (assertWritable: () => Promise<void>) => ({
  wrapStore: (store: Store): Store => ({ ...store, assertWritable }),
});
const notReady = {
  status: 503,
  headers: { "retry-after": "1", "cache-control": "no-store", "x-request-id": probeId },
  body: {
    status: false,
    error: {
      code: "unavailable",
      message: "The service is temporarily unavailable. Try again later.",
      request_id: probeId,
    },
  },
};

const hourMs = 3_600_000;

describe("/readyz", () => {
  it("returns 200 while the store works", async () => {
    await using service = await startService();
    expect(await ready(service)).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store", "content-type": "application/json" },
      body: { status: true },
    });
  });

  it("returns 503 with the error body while the store cannot be reached, and 200 when it is back", async () => {
    let isAway = true;
    await using service = await startService(
      withWrites(async () => {
        if (isAway) throw new StoreUnavailableError();
      }),
    );
    expect(await ready(service)).toMatchObject(notReady);
    isAway = false;
    expect((await ready(service)).status).toBe(200);
  });

  it("does not wait for a store that does not respond, and calls it again only after its response", async () => {
    let asked = 0;
    await using service = await startService(
      withWrites(() => {
        asked += 1;
        return new Promise(() => {});
      }),
    );
    const responses = await Promise.all([ready(service), ready(service), ready(service)]);
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect((await ready(service)).status).toBe(503);
    expect(asked).toBe(1);
  });

  it("uses one recent write for all probes, until a call finds the store unavailable", async () => {
    let writes = 0;
    const assertWritable = async () => {
      writes += 1;
    };
    const readiness = createReadiness({ assertWritable }, { freshMs: hourMs, limitMs: hourMs });
    const ask = async () => {
      for (let count = 0; count < 100; count += 1) expect(await readiness.isReady()).toBe(true);
    };
    await Promise.all([ask(), ask()]);
    expect(writes).toBe(1);
    readiness.doubt();
    await Promise.all([ask(), ask()]);
    expect(writes).toBe(2);
  });

  it("does not count a write that began before a call found the store unavailable", async () => {
    const first = Promise.withResolvers<void>();
    let writes = 0;
    const assertWritable = () => {
      writes += 1;
      return writes === 1 ? first.promise : Promise.resolve();
    };
    const readiness = createReadiness({ assertWritable }, { freshMs: hourMs, limitMs: hourMs });
    const asked = readiness.isReady();
    const before = performance.now();
    while (performance.now() === before);
    readiness.doubt();
    while (performance.now() === before);
    first.resolve();
    expect(await asked).toBe(true);
    expect(await readiness.isReady()).toBe(true);
    expect(writes).toBe(2);
  });

  it("uses one failed write for all probes for a short time, until a write succeeds", async () => {
    let writes = 0;
    let isAway = true;
    const assertWritable = async () => {
      writes += 1;
      if (isAway) throw new StoreUnavailableError();
    };
    const readiness = createReadiness({ assertWritable }, { failedMs: hourMs, limitMs: hourMs });
    const ask = async () => {
      for (let count = 0; count < 100; count += 1) expect(await readiness.isReady()).toBe(false);
    };
    await Promise.all([ask(), ask()]);
    expect(readiness.ignoresReads).toBe(true);
    expect(writes).toBe(1);
    await readiness.observeStoreCall("sessions.replace", async () => true);
    await Promise.all([ask(), ask()]);
    expect(writes).toBe(2);
    isAway = false;
    await readiness.observeStoreCall("sessions.replace", async () => true);
    expect(await readiness.isReady()).toBe(true);
    expect(writes).toBe(3);
  });

  it("calls the store again after it has thrown synchronously", async () => {
    let isAway = true;
    const readiness = createReadiness(
      {
        assertWritable() {
          if (isAway) throw new StoreUnavailableError();
          return Promise.resolve();
        },
      },
      { failedMs: 0 },
    );
    expect(await readiness.isReady()).toBe(false);
    isAway = false;
    expect(await readiness.isReady()).toBe(true);
  });

  it("returns 503 when the server will stop, while /healthz still returns 200", async () => {
    await using service = await startService();
    service.readiness.drain();
    expect(await ready(service)).toMatchObject(notReady);
    expect((await service.send({ method: "GET", path: "/healthz" })).status).toBe(200);
  });
});
