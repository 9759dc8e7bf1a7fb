/** Tests which logins of a tenant succeed while someone else floods the same tenant with logins. */
import { expect, it } from "vitest";
import { registerUser } from "../domain/registration.ts";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { openStore } from "../store/open.ts";
import { createDatabase } from "../store/sqlite/testing/database.ts";
import { send } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";
import { makeTenant } from "../testing/tenants.ts";

const password = "correct horse battery staple";
const account = { type: "customer", dial_code: "91" };
const kinds = ["device", "knownAddress", "other"] as const;
const usersPerKind = 20;

it("a user with a session, or at an address of a recent login, can log in during a flood of wrong logins from many addresses", async () => {
  await using service = await startWithUsers();
  const flood = service.flood(100, (n) => ({ mobile: `777${n}`, password: "wrong", uuid: `${n}` }));
  const served = await service.logInAll();
  const { statuses } = await flood.stop();
  expect(statuses.has(503)).toBe(true);
  expect(served).toMatchObject({ device: usersPerKind, knownAddress: usersPerKind });
});

it("one user who floods the tenant from devices with sessions does not keep other users from logging in", async () => {
  await using service = await startWithUsers();
  const flood = service.flood(100, () => ({ mobile: "2000", password, uuid: "phone" }));
  const served = await service.logInAll();
  const { statuses } = await flood.stop();
  expect(statuses.has(503)).toBe(true);
  expect(served).toEqual({ device: usersPerKind, knownAddress: usersPerKind, other: usersPerKind });
});

/** Starts a server that trusts `X-Forwarded-For`. The users of the first two kinds log in once. */
async function startWithUsers() {
  const stack = new AsyncDisposableStack();
  const { url, remove } = await createDatabase();
  stack.defer(remove);
  const store = await openStore(url);
  const { tenant, publishableKey: key } = await makeTenant(store);
  const users = kinds.flatMap((kind, k) =>
    Array.from({ length: usersPerKind }, (_, n) => ({
      kind,
      mobile: `${1000 * (k + 1) + n}`,
      address: `192.0.${k}.${n}`,
    })),
  );
  const names = { first_name: "Asha", last_name: "Rao", email: "asha@mail.test" };
  for (const { mobile } of users)
    await registerUser({ store, totpKeys: createTotpKeys([]) }, tenant, {
      ...{ ...account, ...names, mobile, password, mfa: false },
    });
  await store.close();
  const server = stack.use(
    await startServer(url, { TRUSTED_PROXIES: "127.0.0.1", PASSWORD_CONCURRENCY: "2" }),
  );

  const logIn = async (address: string, login: { mobile: string; password: string; uuid: string }) => {
    const headers = { "X-Forwarded-For": address };
    const body = { user: { ...account, ...login } };
    return (await send(server.url, { method: "POST", path: "/v1/users/login", key, headers, body })).status;
  };
  for (const { kind, mobile, address } of users)
    if (kind !== "other") expect(await logIn(address, { mobile, password, uuid: "phone" })).toBe(200);

  return {
    /** Sends logins from a new address each, on some connections, until it is stopped. */
    flood(connections: number, loginOf: (n: number) => Parameters<typeof logIn>[1]) {
      const statuses = new Map<number, number>();
      let sent = 0;
      let isStopped = false;
      const sendAll = async () => {
        while (!isStopped) {
          sent += 1;
          const status = await logIn(`10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`, loginOf(sent));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const sending = Array.from({ length: connections }, sendAll);
      return {
        async stop() {
          isStopped = true;
          await Promise.all(sending);
          return { statuses };
        },
      };
    },
    /** Each user logs in once: on the same device, at the same address or elsewhere. Returns how many succeeded. */
    async logInAll() {
      const served = { device: 0, knownAddress: 0, other: 0 };
      for (let n = 0; n < usersPerKind; n += 1) {
        const turn = users.filter((_, index) => index % usersPerKind === n);
        const statuses = await Promise.all(
          turn.map(({ kind, mobile, address }) => {
            const uuid = kind === "device" ? "phone" : "tablet";
            return logIn(kind === "device" ? `198.51.100.${n}` : address, { mobile, password, uuid });
          }),
        );
        for (const [index, { kind }] of turn.entries()) if (statuses[index] === 200) served[kind] += 1;
      }
      return served;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
