import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../domain/api-keys.ts";
import { type BoundedWork, boundWork } from "../domain/bounded-work.ts";
import { createTenant, registerUser } from "../domain/registration.ts";
import { hashSessionKey } from "../domain/sessions.ts";
import { type Answer, RawConnection } from "../testing/http.ts";
import { mfaUser, plainUser, rightPassword, startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const login = (user: Record<string, unknown>, key = service.acme.publishableKey) =>
  service.send({ method: "POST", path: "/v1/users/login", key, content: { user } });
const valid = { ...plainUser, uuid: "device-1", password: rightPassword };
const call = { method: "POST", path: "/v1/users/login" };
const keysOf = (body: unknown) => (body as { data: { user: { key: Record<string, string> } } }).data.user.key;
const codeAt = (ms: number) => generateSync({ secret: service.totpSecret, epoch: Math.floor(ms / 1000) });

describe("200", () => {
  it("answers the user with new session keys", async () => {
    const { status, body } = await login(valid);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: true,
        data: {
          user: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            first_name: "Asha",
            last_name: "Rao",
            email: "asha.rao@mail.test",
            profile_pic: "",
            email_verified: false,
            key: {
              auth_key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
              refresh_key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
            },
          },
        },
      },
    });
  });

  it("takes a secret key too, and the flow by its name", async () => {
    expect((await login({ ...valid, auth_type: 3 }, service.acme.secretKey)).status).toBe(200);
  });

  it("replaces the session of the same device, whose keys no longer work", async () => {
    const first = keysOf((await login({ ...valid, uuid: "replaced" })).body);
    const second = keysOf((await login({ ...valid, uuid: "replaced" })).body);
    expect(await service.store.sessions.findByAuthHash(hashSessionKey(first.auth_key ?? ""))).toBeUndefined();
    expect(await service.store.sessions.findByAuthHash(hashSessionKey(second.auth_key ?? ""))).toMatchObject({
      uuid: "replaced",
    });
  });

  it("leaves the sessions of other devices alone", async () => {
    const phone = keysOf((await login({ ...valid, uuid: "phone" })).body);
    await login({ ...valid, uuid: "tablet" });
    expect(await service.store.sessions.findByAuthHash(hashSessionKey(phone.auth_key ?? ""))).toMatchObject({
      uuid: "phone",
    });
  });

  it("tells numbers apart by their leading zeros", async () => {
    const names = { first_name: "Zero", last_name: "", email: "" };
    const user = { ...plainUser, mobile: `0${plainUser.mobile}` };
    await registerUser(service, service.acme.tenant, { ...user, ...names, password: "another", mfa: false });
    const answered = async (mobile: string, password: string) =>
      (await login({ ...valid, mobile, password })).body;
    expect(await answered(user.mobile, "another")).toMatchObject({ data: { user: { first_name: "Zero" } } });
    expect(await answered(plainUser.mobile, rightPassword)).toMatchObject({
      data: { user: { first_name: "Asha" } },
    });
  });

  it("takes a TOTP code once", async () => {
    service.time += 90_000;
    const user = { ...mfaUser, uuid: "d", password: rightPassword, token: codeAt(service.time) };
    const first = await login(user);
    const again = await login(user);
    expect([first.status, again.status]).toEqual([200, 401]);
    expect(again.body).toMatchObject({ error: { code: "totp_invalid" } });
  });
});

describe("401", () => {
  it.each([
    ["an unknown number", { mobile: "1111111111" }],
    ["a wrong role", { type: "admin" }],
    ["a wrong password", { password: "wrong" }],
    ["another dial code", { dial_code: "44" }],
  ])("gives %s one and the same answer", async (_, change) => {
    const { status, body, headers } = await login({ ...valid, ...change });
    expect({ status, body, authenticate: headers["www-authenticate"] }).toEqual({
      status: 401,
      body: {
        status: false,
        error: {
          code: "credentials_invalid",
          message: "The mobile number, the password or the type is wrong.",
          request_id: headers["x-request-id"],
        },
      },
      authenticate: "Bearer",
    });
  });

  it("does not know the users of another tenant", async () => {
    expect((await login(valid, service.rival.publishableKey)).body).toMatchObject({
      error: { code: "credentials_invalid" },
    });
  });

  it.each([
    ["a missing code", {}, "totp_required"],
    ["a wrong code", { token: "000000" }, "totp_invalid"],
  ])("tells %s after the password held", async (_, change, code) => {
    expect((await login({ ...mfaUser, uuid: "d", password: rightPassword, ...change })).body).toMatchObject({
      error: { code },
    });
  });

  it.each([{}, { token: "000000" }])(
    "tells nothing of the code while the password is wrong (%j)",
    async (change) => {
      expect((await login({ ...mfaUser, uuid: "d", password: "wrong", ...change })).body).toMatchObject({
        error: { code: "credentials_invalid" },
      });
    },
  );
});

describe("422", () => {
  it("lists everything that is missing", async () => {
    expect((await login({})).body).toMatchObject({
      error: {
        code: "request_invalid",
        problems: ["uuid", "mobile", "dial_code", "password", "type"].map((name) => ({
          in: "body",
          pointer: `/user/${name}`,
          message: "is required",
        })),
      },
    });
  });

  it.each([
    ["a dial code with a plus sign", { dial_code: "+91" }, "/user/dial_code"],
    ["a mobile number with letters", { mobile: "98765abc" }, "/user/mobile"],
    ["an empty uuid", { uuid: "" }, "/user/uuid"],
    ["a uuid that is too long", { uuid: "u".repeat(129) }, "/user/uuid"],
    ["a code that is no six digits", { token: "12345" }, "/user/token"],
    ["a flow as text", { auth_type: "3" }, "/user/auth_type"],
  ])("refuses %s", async (_, change, pointer) => {
    expect((await login({ ...valid, ...change })).body).toMatchObject({
      error: { code: "request_invalid", problems: [{ in: "body", pointer, message: expect.any(String) }] },
    });
  });

  it("refuses the address of a user that is named with a publishable key, or is none", async () => {
    const problems = async (key: string, address: string) => {
      const headers = { "X-End-User-Address": address };
      const { status, body } = await service.send({ ...call, key, headers, content: { user: valid } });
      return { status, problems: (body as { error: { problems: unknown } }).error.problems };
    };
    const problem = { in: "header", pointer: "/X-End-User-Address" };
    expect(await problems(service.acme.publishableKey, "203.0.113.7")).toEqual({
      status: 422,
      problems: [{ ...problem, message: "is for secret keys only" }],
    });
    expect(await problems(service.acme.secretKey, "203.0.113.7:4711")).toEqual({
      status: 422,
      problems: [{ ...problem, message: expect.any(String) }],
    });
  });

  it("refuses any flow but mobile and password", async () => {
    expect((await login({ ...valid, auth_type: 1 })).body).toMatchObject({
      status: false,
      error: {
        code: "auth_flow_unsupported",
        problems: [{ in: "body", pointer: "/user/auth_type", message: "must be 3" }],
      },
    });
  });

  it("refuses a tenant's default flow that the service does not have, unless the call names another", async () => {
    const tenant = await createTenant(service.store, { name: "Other flow", auth_type: 1 });
    const { secret } = await createApiKey(
      { store: service.store, clock: () => service.time },
      { tenant_id: tenant.id, kind: "publishable" },
    );
    const names = { first_name: "", last_name: "", email: "" };
    await registerUser(service, tenant, {
      ...plainUser,
      ...names,
      password: rightPassword,
      mfa: false,
    });
    expect((await login(valid, secret)).body).toMatchObject({ error: { code: "auth_flow_unsupported" } });
    expect((await login({ ...valid, auth_type: 3 }, secret)).status).toBe(200);
  });
});

describe("429", () => {
  it("refuses further attempts for the account, right or wrong, and says when to try again", async () => {
    await using own = await startService();
    const attempt = (password: string) =>
      own.send({
        method: "POST",
        path: "/v1/users/login",
        key: own.acme.publishableKey,
        content: { user: { ...valid, password } },
      });
    for (let count = 0; count < 10; count += 1) expect((await attempt("wrong")).status).toBe(401);
    const answer = await attempt(rightPassword);
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 429,
      body: { error: { code: "too_many_attempts" } },
    });
    expect(answer.headers).toMatchObject({
      "retry-after": "900",
      ratelimit: '"address";r=989;t=900, "account";r=0;t=900',
      "ratelimit-policy": '"address";q=1000;w=900, "account";q=10;w=900',
    });
  });

  it("counts an account that does not exist like one that does", async () => {
    await using own = await startService();
    const answersTo = async (mobile: string) => {
      const answers = [];
      for (let count = 0; count < 12; count += 1) {
        const content = { user: { ...valid, mobile, password: "wrong" } };
        const { status, headers } = await own.send({ ...call, key: own.acme.publishableKey, content });
        const { ratelimit = "" } = headers;
        answers.push([status, `${ratelimit}`.replace(/"address".*?, /, "")]);
      }
      return answers;
    };
    const known = await answersTo(valid.mobile);
    expect(await answersTo("0000000000")).toEqual(known);
    expect(known.slice(-3)).toEqual([
      [401, '"account";r=0;t=900'],
      [429, '"account";r=0;t=900'],
      [429, '"account";r=0;t=900'],
    ]);
  });

  it("admits all right logins of one account that are made at once, and no more wrong ones than the limit", async () => {
    const { work, open, waits } = slowWork({ waiting: 99 });
    await using own = await startService({ passwordWork: work });
    const answers: Promise<Answer>[] = [];
    for (const password of [...Array(12).fill(rightPassword), ...Array(12).fill("wrong"), rightPassword]) {
      const waiting = waits();
      const content = { user: { ...valid, uuid: `${answers.length}`, password } };
      answers.push(own.send({ ...call, key: own.acme.publishableKey, content }));
      await waiting;
    }
    open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(12).fill(200), ...Array(10).fill(401), 429, 429, 429]);
  });

  it("limits the users of a backend by the addresses that it names, not by its own", async () => {
    await using own = await startService({ loginAttemptsPerAddress: 2 });
    const guess = async (mobile: string, address?: string) => {
      const content = { user: { ...valid, mobile, password: "wrong" } };
      const headers = address === undefined ? {} : { "X-End-User-Address": address };
      return (await own.send({ ...call, key: own.acme.secretKey, headers, content })).status;
    };
    const [greedy, other] = ["203.0.113.7", "2001:db8::7"];
    const statuses = [];
    for (const [n, address] of [greedy, greedy, greedy, other, undefined, undefined, undefined].entries()) {
      statuses.push(await guess(`555000${n}`, address));
    }
    expect(statuses).toEqual([401, 401, 429, 401, 401, 401, 429]);
  });

  it("lets a device with a session in while someone else locks its account", async () => {
    await using own = await startService();
    const attempt = async (uuid: string, password: string) => {
      const content = { user: { ...valid, uuid, password } };
      const { status, headers } = await own.send({ ...call, key: own.acme.publishableKey, content });
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

  it("refuses further guesses of a code for the day", async () => {
    await using own = await startService();
    const user = { ...mfaUser, uuid: "d", password: rightPassword };
    const guess = (token: string) =>
      own.send({ ...call, key: own.acme.publishableKey, content: { user: { ...user, token } } });
    for (let count = 0; count < 20; count += 1) {
      if (count === 10) own.time += 900_000;
      expect((await guess("000000")).body).toMatchObject({ error: { code: "totp_invalid" } });
    }
    own.time += 900_000;
    const { status, body, headers } = await guess("000000");
    expect({ status, body, headers }).toMatchObject({
      status: 429,
      body: { error: { code: "too_many_attempts" } },
      headers: {
        "retry-after": "84600",
        ratelimit: '"code";r=0;t=84600',
        "ratelimit-policy": '"code";q=20;w=86400',
      },
    });
  });

  it("counts nothing where nothing was guessed: no code sent, or a flow that there is not", async () => {
    await using own = await startService();
    const attempt = async (user: Record<string, unknown>) =>
      (await own.send({ ...call, key: own.acme.publishableKey, content: { user } })).status;
    const [first, other] = [
      { ...mfaUser, uuid: "d", password: rightPassword },
      { ...valid, auth_type: 1 },
    ];
    for (let count = 0; count < 11; count += 1) {
      expect([await attempt(first), await attempt(other)]).toEqual([401, 422]);
    }
    expect(await attempt(valid)).toBe(200);
  });
});

const gate = () => Promise.withResolvers<void>();
/** One at a time; all of it first waits until it is let go on. */
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
  it("refuses logins beyond those that may wait, at once and uncounted, and serves the others", async () => {
    const { work, open, waits } = slowWork({ waiting: 1 });
    await using own = await startService({ passwordWork: work });
    const attempt = () =>
      own.send({ ...call, key: own.acme.publishableKey, content: { user: { ...valid, password: "wrong" } } });
    const taken = [];
    for (const _ of [1, 2]) {
      const waiting = waits();
      taken.push(attempt());
      await waiting;
    }
    for (const _ of [1, 2]) {
      const { status, body, headers } = await attempt();
      expect({ status, body, retry: headers["retry-after"] }).toMatchObject({
        status: 503,
        body: { error: { code: "unavailable" } },
        retry: "1",
      });
    }
    open();
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await attempt()).headers.ratelimit).toContain('"account";r=7;');
  });

  it.each<[string, (n: number) => object]>([
    ["right logins of one account", () => ({ mobile: plainUser.mobile })],
    ["logins of unknown numbers", (n) => ({ mobile: `555${n}`, password: "wrong" })],
  ])("lets a stranger in while one address sends 300 %s at once", async (_, details) => {
    const { work, open, waits } = slowWork({ waiting: 3 });
    await using own = await startService({
      passwordWork: work,
      trustedProxies: ["127.0.0.1"],
      loginAttemptsPerAddress: 10_000,
    });
    const attempt = async (from: string, user: object) => {
      const { status } = await own.send({
        ...{ ...call, key: own.acme.publishableKey, content: { user } },
        headers: { "X-Forwarded-For": from },
      });
      return status;
    };
    const flood = Array.from({ length: 300 }, (_, n) =>
      attempt("192.0.2.1", { ...valid, uuid: `${n}`, ...details(n) }),
    );
    await expect.poll(() => own.logged.filter(({ status }) => status === 503)).toHaveLength(296);
    const begun = waits();
    const token = generateSync({ secret: own.totpSecret, epoch: own.time / 1000 });
    const stranger = attempt("198.51.100.7", { ...mfaUser, uuid: "d", password: rightPassword, token });
    await begun;
    open();
    expect(await stranger).toBe(200);
    expect((await Promise.all(flood)).filter((status) => status !== 503)).toHaveLength(3);
  });

  it("lets another tenant's logins in while one tenant floods from 80 addresses", async () => {
    const { work, open, waits } = slowWork({ waiting: 5 });
    await using own = await startService({ passwordWork: work, trustedProxies: ["127.0.0.1"] });
    const attempt = async (n: number, key: string) => {
      const content = { user: { ...valid, mobile: `555${n}`, password: "wrong" } };
      const headers = { "X-Forwarded-For": `192.0.2.${n}` };
      return (await own.send({ ...call, key, headers, content })).status;
    };
    const flood = Array.from({ length: 80 }, (_, n) => attempt(n, own.acme.publishableKey));
    await expect.poll(() => own.logged.filter(({ status }) => status === 503)).toHaveLength(74);
    const others: Promise<number>[] = [];
    for (const n of [1, 2]) {
      const begun = waits();
      others.push(attempt(n, own.rival.publishableKey));
      await begun;
    }
    open();
    expect(await Promise.all(others)).toEqual([401, 401]);
    expect((await Promise.all(flood)).filter((status) => status === 401)).toHaveLength(4);
  });

  it("does not hash for a caller who went away while waiting, and does not count the attempt", async () => {
    const { work, open, counts, waits } = slowWork({ waiting: 3 });
    await using own = await startService({ passwordWork: work });
    const first = waits();
    const answered = own.send({
      ...{ ...call, key: own.acme.publishableKey },
      content: { user: { ...valid, password: "wrong" } },
    });
    await first;
    const second = waits();
    const gone = await RawConnection.open(own.url);
    const content = JSON.stringify({ user: { ...valid, password: "wrong" } });
    gone.write(
      `POST /v1/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: gone\r\nAuthorization: Bearer ${own.acme.publishableKey}\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
    );
    await second;
    gone[Symbol.dispose]();
    await expect.poll(() => own.logged.filter((entry) => entry.request_id === "gone")).toHaveLength(1);
    open();
    expect((await answered).status).toBe(401);
    const last = await own.send({
      ...{ ...call, key: own.acme.publishableKey },
      content: { user: { ...valid, password: "wrong" } },
    });
    expect(last.headers.ratelimit).toContain('"account";r=8;');
    expect(counts.runs).toBe(2);
  });
});
