import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoundedWork, boundWork } from "../domain/bounded-work.ts";
import { RawConnection } from "../testing/http.ts";
import { mfaUser, plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const call = { method: "POST", path: "/v1/users/login" };
const login = (user: Record<string, unknown>, { acme, send } = service, headers = {}) =>
  send({ ...call, key: acme.publishableKey, headers, body: { user } });
const valid = { ...plainUser, uuid: "device-1", password: rightPassword };
const wrong = { ...valid, password: "wrong" };

describe("401", () => {
  it.each([
    ["a wrong password", { password: "wrong" }, "credentials_invalid"],
    ["a missing code", mfaUser, "totp_required"],
    ["a wrong code", { ...mfaUser, token: "000000" }, "totp_invalid"],
  ])("reports %s", async (_, change, code) => {
    const { status, body, headers } = await login({ ...valid, ...change });
    expect({ status, body, headers }).toMatchObject({
      status: 401,
      body: { status: false, error: { code, request_id: headers["x-request-id"] } },
      headers: { "www-authenticate": "Bearer" },
    });
  });
});

describe("the audit log", () => {
  it("contains a line for each login at every LOG_LEVEL, with tenant, key, user and result, but no password", async () => {
    await using own = await startService({ settings: { LOG_LEVEL: "silent" } });
    const cases: [Record<string, unknown>, string][] = [
      [valid, "done"],
      [wrong, "credentials_invalid"],
      [{ ...valid, mobile: "1111111111" }, "credentials_invalid"],
      [{ ...valid, ...mfaUser }, "totp_required"],
      [{ ...valid, ...mfaUser, token: "000000" }, "totp_invalid"],
      [{ ...valid, auth_type: 1 }, "auth_flow_unsupported"],
    ];
    for (const [user] of cases) await login(user, own);
    const users = await own.store.users.list(own.acme.tenant.id);
    const [plain, mfa] = [plainUser, mfaUser].map(
      (each) => users.find(({ mobile }) => mobile === each.mobile)?.id,
    );
    const keys = await own.store.apiKeys.list(own.acme.tenant.id);
    const key_id = keys.find(({ kind }) => kind === "publishable")?.id;
    expect(own.logged).toEqual(
      [plain, plain, undefined, mfa, mfa, undefined].map((user_id, n) => ({
        level: 30,
        time: expect.any(Number),
        audit: "login",
        request_id: expect.any(String),
        tenant_id: own.acme.tenant.id,
        key_id,
        ...(user_id && { user_id }),
        result: cases[n]?.[1],
        address: "127.0.0.1",
        msg: "a login was tried",
      })),
    );
    expect(JSON.stringify(own.logged)).not.toContain(rightPassword);
  });
});

describe("422", () => {
  it("rejects the header X-End-User-Address if it comes with a publishable key or is not an IP address", async () => {
    const answer = async (key: string, address: string) => {
      const headers = { "X-End-User-Address": address };
      const { status, body } = await service.send({ ...call, key, headers, body: { user: valid } });
      const { problems } = (body as { error?: { problems: { message: string }[] } }).error ?? {};
      return { address, status, messages: problems?.map(({ message }) => message) };
    };
    const { publishableKey, secretKey } = service.acme;
    expect(await answer(publishableKey, "203.0.113.7")).toMatchObject({
      status: 422,
      messages: ["is only allowed with a secret key"],
    });
    for (const address of [
      "203.0.113.7:4711",
      "999.1.1.1",
      "01.2.3.4",
      "::::",
      "1::2::3",
      "fe80::1%eth0",
      "localhost",
    ])
      expect(await answer(secretKey, address)).toEqual({
        address,
        status: 422,
        messages: [expect.stringMatching(/^must match the pattern /)],
      });
    for (const address of ["1:2:3:4:5:6:7::1:2:3:4:5:6:7", "1:2:3:4::5:6:7:8", "1:2:3::4:5:6:192.0.2.1"])
      expect(await answer(secretKey, address)).toEqual({
        address,
        status: 422,
        messages: ["must be an IPv4 or IPv6 address without a port"],
      });
    for (const address of [
      "255.0.10.249",
      "::ffff:192.0.2.1",
      "::",
      "2001:db8::7",
      "1:2:3:4:5:6:7::",
      "64:ff9b::192.0.2.1",
    ])
      expect(await answer(secretKey, address)).toMatchObject({ address, status: 200 });
  });

  it("rejects all flows except mobile and password", async () => {
    expect((await login({ ...valid, auth_type: 1 })).body).toMatchObject({
      status: false,
      error: {
        code: "auth_flow_unsupported",
        problems: [{ in: "body", pointer: "/user/auth_type", message: "must be 3" }],
      },
    });
  });
});

describe("429", () => {
  it("rejects attempts on a locked account, even with the right password, and sends Retry-After", async () => {
    await using own = await startService();
    for (let count = 0; count < 10; count += 1) expect((await login(wrong, own)).status).toBe(401);
    const response = await login(valid, own);
    expect({ status: response.status, body: response.body }).toMatchObject({
      status: 429,
      body: { error: { code: "too_many_attempts" } },
    });
    expect(response.headers).toMatchObject({
      "retry-after": "900",
      ratelimit: '"address";r=989;t=900, "account";r=0;t=900',
      "ratelimit-policy": '"address";q=1000;w=900, "account";q=10;w=900',
    });
  });

  it("counts a backend's users by the addresses in X-End-User-Address, not by the backend's address", async () => {
    await using own = await startService({ settings: { LOGIN_ATTEMPTS_PER_ADDRESS: "2" } });
    const guess = async (mobile: string, address?: string) => {
      const body = { user: { ...valid, mobile, password: "wrong" } };
      const headers = address === undefined ? {} : { "X-End-User-Address": address };
      return (await own.send({ ...call, key: own.acme.secretKey, headers, body })).status;
    };
    const [greedy, other] = ["203.0.113.7", "2001:db8::7"];
    const statuses = [];
    for (const [n, address] of [greedy, greedy, greedy, other, undefined, undefined, undefined].entries()) {
      statuses.push(await guess(`555000${n}`, address));
    }
    expect(statuses).toEqual([401, 401, 429, 401, 401, 401, 429]);
  });

  it("admits a device with a session while someone else locks its account", async () => {
    await using own = await startService();
    const attempt = async (uuid: string, password: string) => {
      const { status, headers } = await login({ ...valid, uuid, password }, own);
      return { status, limit: headers.ratelimit };
    };
    expect(await attempt("phone", rightPassword)).toMatchObject({ status: 200 });
    for (let count = 0; count < 10; count += 1) await attempt("attacker", "wrong");
    expect(await attempt("attacker", rightPassword)).toMatchObject({ status: 429 });
    expect(await attempt("phone", "wrong")).toMatchObject({
      status: 401,
      limit: expect.stringContaining('"device";r=9;t=900'),
    });
    expect(await attempt("phone", rightPassword)).toMatchObject({ status: 200 });
    expect(await attempt("attacker", rightPassword)).toMatchObject({ status: 429 });
  });

  it.each([
    ["another address", "198.51.100.7"],
    ["the same address", "192.0.2.1"],
  ])("does not show an outsider that the owner logs in from %s", async (_, ownerAddress) => {
    await using own = await startService({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
    const attempt = async (address: string, user: Record<string, unknown>) => {
      const { status, headers } = await login({ ...valid, ...user }, own, { "X-Forwarded-For": address });
      return { status, limit: /"account";r=\d+;t=\d+/.exec(String(headers.ratelimit))?.[0] };
    };
    for (const mobile of ["1111111111", valid.mobile]) {
      const seen = [];
      for (let count = 0; count < 11; count += 1) {
        if (count === 2 && mobile === valid.mobile)
          expect(await attempt(ownerAddress, { mobile })).toMatchObject({ status: 200 });
        seen.push(await attempt("192.0.2.1", { mobile, password: "wrong", uuid: "outsider" }));
      }
      expect(seen).toEqual([
        ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((r) => ({ status: 401, limit: `"account";r=${r};t=900` })),
        { status: 429, limit: '"account";r=0;t=900' },
      ]);
    }
  });

  it("does not count attempts that guess nothing, because the code is missing or the flow is unknown", async () => {
    await using own = await startService();
    for (let count = 0; count < 11; count += 1) {
      expect((await login({ ...valid, ...mfaUser }, own)).status).toBe(401);
      expect((await login({ ...valid, auth_type: 1 }, own)).status).toBe(422);
    }
    expect((await login(valid, own)).status).toBe(200);
  });
});

const gate = () => Promise.withResolvers<void>();
/** Runs one task at a time. Each waits until the test calls `open`. */
function slowWork({ waiting }: { waiting: number }) {
  const bounded = boundWork({ concurrency: 1, waiting });
  const { promise: opened, resolve: open } = gate();
  let begun = gate();
  const counts = { runs: 0 };
  const work: BoundedWork = {
    run: (task, turn) => {
      const running = bounded.run(async () => {
        counts.runs += 1;
        await opened;
        return task();
      }, turn);
      begun.resolve();
      begun = gate();
      return running;
    },
  };
  return { work, open, counts, waits: () => begun.promise };
}

describe("503", () => {
  it("rejects logins immediately, without counting them, if too many are waiting, and serves the others", async () => {
    const { work, open, waits } = slowWork({ waiting: 1 });
    await using own = await startService({ passwordWork: work });
    const taken = [];
    for (const _ of [1, 2]) {
      const waiting = waits();
      taken.push(login(wrong, own));
      await waiting;
    }
    for (const _ of [1, 2]) {
      const { status, body, headers } = await login(wrong, own);
      expect({ status, body, retry: headers["retry-after"] }).toMatchObject({
        status: 503,
        body: { error: { code: "unavailable" } },
        retry: "1",
      });
    }
    open();
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await login(wrong, own)).headers.ratelimit).toContain('"account";r=7;');
  });

  it("admits another caller while one address sends 300 simultaneous logins with unknown numbers", async () => {
    const { work, open, waits } = slowWork({ waiting: 3 });
    await using own = await startService({
      passwordWork: work,
      settings: { TRUSTED_PROXIES: "127.0.0.1", LOGIN_ATTEMPTS_PER_ADDRESS: "10000" },
    });
    const from = (address: string) => ({ "X-Forwarded-For": address });
    const flood = Array.from({ length: 300 }, (_, n) =>
      login({ ...wrong, mobile: `555${n}` }, own, from("192.0.2.1")),
    );
    await expect.poll(() => own.logged.filter(({ status }) => status === 503)).toHaveLength(296);
    const begun = waits();
    const stranger = login(valid, own, from("198.51.100.7"));
    await begun;
    open();
    expect((await stranger).status).toBe(200);
    expect((await Promise.all(flood)).filter(({ status }) => status !== 503)).toHaveLength(3);
  });

  it.each<[string, (gone: RawConnection) => void]>([
    ["went away", (gone) => gone[Symbol.dispose]()],
    ["ended its half of the connection", (gone) => gone.end()],
  ])("neither hashes a password nor counts the attempt if the caller %s while waiting", async (_, leave) => {
    const { work, open, counts, waits } = slowWork({ waiting: 3 });
    await using own = await startService({ passwordWork: work });
    const first = waits();
    const pending = login(wrong, own);
    await first;
    const second = waits();
    const goneId = "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11";
    const gone = await RawConnection.open(own.url);
    const body = JSON.stringify({ user: wrong });
    gone.write(
      `POST /v1/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: ${goneId}\r\nAuthorization: Bearer ${own.acme.publishableKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await second;
    leave(gone);
    await expect
      .poll(() =>
        own.logged.filter((entry) => entry.request_id === goneId && entry.msg === "request completed"),
      )
      .toHaveLength(1);
    expect(await gone.response()).toBeUndefined();
    open();
    expect((await pending).status).toBe(401);
    expect((await login(wrong, own)).headers.ratelimit).toContain('"account";r=8;');
    expect(counts.runs).toBe(2);
  });
});
