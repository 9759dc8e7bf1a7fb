/** Tests the service with random sequences of actions. A small model predicts the results. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "./domain/api-keys.ts";
import { unlockAccount } from "./domain/login-limits.ts";
import { createWebhook, updateWebhook } from "./domain/registration.ts";
import { hashSessionKey } from "./domain/sessions.ts";
import type { ApiKeyKind, Webhook } from "./store/store.ts";
import { databases } from "./testing/databases.ts";
import type { Reply } from "./testing/http.ts";
import { plainUser, rightPassword, startService, type TestService } from "./testing/service.ts";

/** Each seed makes different sequences. After a failure, fast-check prints the seed. */
const seed = Number(process.env.CONFORMANCE_SEED ?? Date.now() % 1_000_000);
const runs = 12;
const stepsEach = 40;

type Owner = "acme" | "rival";

/** The part of the expected state that callers can see. */
interface Model {
  readonly keys: {
    readonly owner: Owner;
    readonly kind: ApiKeyKind;
    readonly id: string;
    readonly secret: string;
    isRevoked: boolean;
  }[];
  /** Includes removed webhooks, in their last state. */
  readonly webhooks: { readonly owner: Owner; webhook: Webhook; isRemoved: boolean }[];
  /** The record of each definition of each owner. */
  readonly records: Map<string, unknown>;
  /** The valid key of each session of acme's user, keyed by `uuid`. */
  readonly sessions: Map<string, string>;
  /** Keys of sessions that were replaced. */
  readonly replaced: Set<string>;
}

interface Real {
  readonly service: TestService;
  /** The number of the run, which makes its data differ from other runs on the same database. */
  readonly run: number;
}

type Step = fc.AsyncCommand<Model, Real>;

/** An action and its expected result. */
function step(name: string, check: (model: Model) => boolean, run: Step["run"]): Step {
  return { check, run, toString: () => name };
}

const owners = fc.constantFrom<Owner[]>("acme", "rival");
const nth = fc.nat({ max: 99 });
const hasKey = ({ keys }: Model) => keys.length > 0;
const hasWebhook = ({ webhooks }: Model) => webhooks.length > 0;

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("a step ran without an item to act on");
  return item;
}

const createKey = (owner: Owner, kind: ApiKeyKind) =>
  step(
    `create a ${kind} key for ${owner}`,
    () => true,
    async ({ keys }, { service }) => {
      const about = { store: service.store, clock: () => service.time };
      const key = await createApiKey(about, { tenant_id: service[owner].tenant.id, kind });
      keys.push({ owner, kind, id: key.id, secret: key.secret, isRevoked: false });
    },
  );

/** Creates keys that the first steps can use. */
const beginning = [createKey("acme", "secret"), createKey("rival", "secret")];

const steps: fc.Arbitrary<Step>[] = [
  fc
    .tuple(owners, fc.constantFrom<ApiKeyKind[]>("secret", "publishable"))
    .map(([owner, kind]) => createKey(owner, kind)),
  nth.map((index) =>
    step(`revoke key ${index}`, hasKey, async ({ keys }, { service }) => {
      const key = at(keys, index);
      await service.store.apiKeys.revoke({ id: key.id }, service.time);
      key.isRevoked = true;
    }),
  ),
  fc
    .record({ key: nth, definition: fc.nat({ max: 2 }), isSpelt: fc.boolean() })
    .map(({ key: index, definition, isSpelt }) =>
      step(
        `submit definition ${definition}${isSpelt ? ", defaults spelt out," : ""} with key ${index}`,
        hasKey,
        async ({ keys, records }, { service, run }) => {
          const key = at(keys, index);
          const title = `Sequence ${run} ${definition}`;
          const own = { title, type: "supply", default_value: definition + 0.5 };
          // The same definition with its properties in another order (RFC 8785).
          const commission = isSpelt
            ? { commission_data: [], active: true, default_value: own.default_value, type: own.type, title }
            : own;
          const response = await service.send({
            method: "GET",
            path: "/",
            key: key.secret,
            content: { commission },
          });
          if (rejectedFor(key, response)) return;
          const known = records.get(`${key.owner} ${definition}`);
          const others = [...records.values()];
          expect(response.body).toEqual(
            known ?? {
              status: true,
              data: { commission: { id: expect.any(Number), rate: definition + 0.5 } },
            },
          );
          if (known === undefined) expect(others).not.toContainEqual(response.body);
          records.set(`${key.owner} ${definition}`, response.body);
        },
      ),
    ),
  fc.record({ key: nth, device: fc.nat({ max: 1 }) }).map(({ key: index, device }) =>
    step(
      `log in on device ${device} with key ${index}`,
      hasKey,
      async ({ keys, sessions, replaced }, { service, run }) => {
        const key = at(keys, index);
        const uuid = `sequence ${run} ${device}`;
        const user = { ...plainUser, uuid, password: rightPassword };
        const call = { method: "POST", path: "/v1/users/login", key: key.secret, content: { user } };
        const { status, body } = await service.send(call);
        if (key.isRevoked) return expect([status, codeIn(body)]).toEqual([401, "api_key_invalid"]);
        if (key.owner === "rival") {
          expect([status, codeIn(body)]).toEqual([401, "credentials_invalid"]);
          return unlockAccount(service.store, { ...plainUser, tenant_id: service.rival.tenant.id });
        }
        expect(status).toBe(200);
        const { auth_key } = (body as { data: { user: { key: { auth_key: string } } } }).data.user.key;
        const before = sessions.get(uuid);
        if (before !== undefined) replaced.add(before);
        sessions.set(uuid, auth_key);
        for (const each of sessions.values())
          expect((await service.store.sessions.findByAuthHash(hashSessionKey(each)))?.auth_hash).toBe(
            hashSessionKey(each),
          );
        for (const each of replaced)
          expect(await service.store.sessions.findByAuthHash(hashSessionKey(each))).toBeUndefined();
      },
    ),
  ),
  owners.map((owner) =>
    step(
      `create a webhook of ${owner}`,
      () => true,
      async ({ webhooks }, { service }) => {
        const url = `https://${owner}.test/${webhooks.length}`;
        const about = { tenant_id: service[owner].tenant.id, url, events: ["order.created"] };
        webhooks.push({ owner, webhook: await createWebhook(service.store, about), isRemoved: false });
      },
    ),
  ),
  fc
    .record({ index: nth, events: fc.subarray(["order.created", "order.cancelled"], { minLength: 1 }) })
    .map(({ index, events }) =>
      step(
        `subscribe webhook ${index} to ${events.join(", ")}`,
        hasWebhook,
        async ({ webhooks }, { service }) => {
          const held = at(webhooks, index);
          const { tenant_id, id } = held.webhook;
          const changed = await updateWebhook(service.store, { tenant_id, id, events });
          expect(changed === undefined).toBe(held.isRemoved);
          held.webhook = changed ?? held.webhook;
        },
      ),
    ),
  nth.map((index) =>
    step(`remove webhook ${index}`, hasWebhook, async ({ webhooks }, { service }) => {
      const held = at(webhooks, index);
      const { tenant_id, id } = held.webhook;
      expect(await service.store.webhooks.remove(tenant_id, id)).toBe(!held.isRemoved);
      held.isRemoved = true;
    }),
  ),
  fc.record({ index: nth, key: nth }).map(({ index, key: keyIndex }) =>
    step(
      `get webhook ${index} with key ${keyIndex}`,
      (model) => hasWebhook(model) && hasKey(model),
      async ({ webhooks, keys }, { service }) => {
        const { owner, webhook, isRemoved } = at(webhooks, index);
        const key = at(keys, keyIndex);
        const call = { method: "GET", path: `/v1/webhooks/${webhook.id}`, key: key.secret, content: {} };
        const response = await service.send(call);
        if (rejectedFor(key, response)) return;
        const { id, url, events } = webhook;
        if (owner === key.owner && !isRemoved)
          expect(response).toMatchObject({
            status: 200,
            body: { status: true, data: { webhook: { id, url, events } } },
          });
        else expect([response.status, codeIn(response.body)]).toEqual([404, "webhook_not_found"]);
      },
    ),
  ),
];

/** Checks the response to a valid request with this key. Returns true if the key was rejected. */
function rejectedFor({ isRevoked, kind }: Model["keys"][number], { status, body }: Reply): boolean {
  if (isRevoked) expect([status, codeIn(body)]).toEqual([401, "api_key_invalid"]);
  else if (kind === "publishable") expect([status, codeIn(body)]).toEqual([403, "api_key_kind_forbidden"]);
  else expect([200, 404]).toContain(status);
  return isRevoked || kind === "publishable";
}

function codeIn(body: unknown): unknown {
  return (body as { error?: { code?: unknown } }).error?.code;
}

describe.each(databases)("random sequences of requests and commands on $name", ({ create }) => {
  let service: TestService;
  let stack: AsyncDisposableStack;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const { url, remove } = await create();
    stack.defer(remove);
    service = await startService({
      settings: { DATABASE_URL: url, LOGIN_ATTEMPTS_PER_ADDRESS: "1000000" },
    });
    stack.use(service);
  });
  afterAll(() => stack.disposeAsync());

  it(`have the promised results (seed ${seed})`, async () => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.commands(steps, { maxCommands: stepsEach, size: "max" }),
      async (commands) => {
        run += 1;
        const model: Model = {
          keys: [],
          webhooks: [],
          records: new Map(),
          sessions: new Map(),
          replaced: new Set(),
        };
        await fc.asyncModelRun(() => ({ model, real: { service, run } }), beginning);
        await fc.asyncModelRun(() => ({ model, real: { service, run } }), commands);
      },
    );
    await fc.assert(property, { seed, numRuns: runs });
  });
});
