import { randomBytes, randomUUID } from "node:crypto";
import document from "../generated/openapi.json" with { type: "json" };
import { commandLine } from "./admin-command-line.ts";
import { newApiKey } from "./domain/api-keys.ts";
import type { Clock } from "./domain/clock.ts";
import { mobileAndPassword } from "./domain/login.ts";
import { newUser } from "./domain/registration.ts";
import type { Store, Tenant } from "./store/store.ts";

const logins = document.paths["/v1/users/login"].post.requestBody.content["application/json"].examples;

/**
 * Returns a text with the keys of a new tenant, or undefined if a tenant exists. If several servers start at the same
 * time, only one creates the demo.
 */
export async function createDemo(store: Store, clock: Clock, url: string): Promise<string | undefined> {
  if ((await store.tenants.list()).length > 0) return undefined;
  const tenant: Tenant = { id: randomUUID(), name: "Demo", auth_type: mobileAndPassword };
  const secret = newApiKey(clock, { tenant_id: tenant.id, kind: "secret" });
  const publishable = newApiKey(clock, { tenant_id: tenant.id, kind: "publishable" });
  // The samples in the document use these values.
  const { uuid: _, ...sampleUser } = logins.withoutMfa.value.user;
  const user = { ...sampleUser, password: randomBytes(12).toString("base64url") };
  const names = { first_name: "Asha", last_name: "Rao", email: "asha.rao@mail.test" };
  const isFirst = await store.tenants.createFirst(tenant, {
    apiKeys: [secret.record, publishable.record],
    users: [await newUser(tenant, { ...user, ...names })],
    webhooks: [{ tenant_id: tenant.id, url: "https://shop.test/hooks/orders", events: ["order.created"] }],
  });
  if (!isFirst) return undefined;
  const commands = samples.map((sample) =>
    sample
      // A response does not end with a newline, so the shell's prompt would be on the same line.
      .replace("curl ", "curl -sS -w '\\n' ")
      .replace(/https?:\/\/[^/]+/, url)
      .replace("$API_KEY", secret.secret)
      .replace(JSON.stringify(sampleUser.password), JSON.stringify(user.password))
      // Writes the body in one line.
      .replaceAll(/(?<!\\)\n\s*/g, ""),
  );
  return `
A demo tenant was created. Its keys are shown only once:

  secret key        ${secret.secret}
  publishable key   ${publishable.secret}

Commands to paste, one for each operation:

${commands.join("\n\n")}

The documentation is at ${url}/docs.

`;
}

/** Keys are shown only once, so a later start shows how to create another one. */
export async function keyCommand(store: Store): Promise<string> {
  const [first] = await store.tenants.list();
  return first === undefined
    ? ""
    : `\nTo create an API key of the tenant ${first.name}:\n\n  ${commandLine} key create --tenant ${first.id} --kind secret\n\n`;
}

/** The document's command for each operation. A twin's command would do the same as that of its GET. */
const samples = Object.values(document.paths).flatMap((item) =>
  Object.values(item).flatMap((part: object): string[] => {
    const { "x-codeSamples": listed = [], "x-twin-of": twin } = part as Partial<Sampled>;
    return twin === undefined
      ? listed.filter(({ lang }) => lang === "shell").map(({ source }) => source)
      : [];
  }),
);

/** The generator adds the samples. */
interface Sampled {
  readonly "x-codeSamples": readonly { readonly lang: string; readonly source: string }[];
  readonly "x-twin-of": string;
}
