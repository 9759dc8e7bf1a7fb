/** The command `user` and its verbs. They never print passwords, and an otpauth:// URI only when its secret is made. */
import type { Command } from "commander";
import { unlockAccount } from "../domain/login-limits.ts";
import { hashPassword } from "../domain/passwords.ts";
import { enableMfa, registerUser } from "../domain/registration.ts";
import type { TotpKeys } from "../domain/totp-keys.ts";
import { DuplicateUserError, type Store, type User } from "../store/store.ts";
import {
  AdminError,
  addNoun,
  addVerb,
  type CommandContext,
  type CommonOptions,
  formatTable,
  requireTenant,
  requireTotpKeys,
  runForTenant,
  type TenantOptions,
} from "./command.ts";
import { parseDialCode, parseEmail, parseMobile, parseName, parseText } from "./option-values.ts";
import { readPassword } from "./secret-stdin.ts";

const passwordOption = [
  "--password-stdin",
  "read the password from standard input until the input ends",
] as const;
const anId = "7d1f6a52-43a5-4f6b-8f0e-1f4d3f8a2b10";
const createExample =
  "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin";

export function addUserCommands(program: Command, context: CommandContext): void {
  const user = addNoun(program, "user", "users, who log in with mobile number and password", [
    `${createExample} < password.txt`,
    "user list --tenant ID",
    `user set-password ${anId} --password-stdin < password.txt`,
  ]);
  addCreate(user, context);
  addList(user, context);
  for (const [verb, change] of Object.entries(changes)) addChange(user, context, verb, change);
}

type CreateOptions = TenantOptions &
  Pick<User, "type" | "mobile" | "email"> & {
    dialCode: string;
    firstName: string;
    lastName: string;
    mfa?: boolean;
  };

function addCreate(user: Command, context: CommandContext): void {
  addVerb(user, "create", "create a user", [
    `${createExample} < password.txt`,
    `${createExample} --mfa --json`,
  ])
    .requiredOption("--tenant <id>", "the tenant of the user")
    .requiredOption("--type <role>", "the role to log in as; any text, such as customer", parseText)
    .requiredOption("--dial-code <digits>", "country dial code without the +", parseDialCode)
    .requiredOption("--mobile <digits>", "mobile number, 4 to 15 digits", parseMobile)
    .requiredOption(...passwordOption)
    .option("--first-name <name>", "first name", parseName, "")
    .option("--last-name <name>", "last name", parseName, "")
    .option("--email <address>", "e-mail address", parseEmail, "")
    .option("--mfa", "require a TOTP code at login, and show the otpauth:// URI once")
    .action(async (options: CreateOptions, command: Command) => {
      const password = await readPassword(context, command);
      await runForTenant(context, options, async (store, tenant) => {
        const { type, dialCode: dial_code, mobile, firstName, lastName, email, mfa = false } = options;
        if (mfa) await requireTotpKeys(store, context);
        const details = { type, dial_code, mobile, first_name: firstName, last_name: lastName, email };
        const { totpKeys } = context;
        const created = await registerUser({ store, totpKeys }, tenant, { ...details, password, mfa }).catch(
          (error: unknown) => {
            if (!(error instanceof DuplicateUserError)) throw error;
            throw new AdminError(
              `the tenant already has a ${accountOf(details)}; choose another number or type`,
            );
          },
        );
        const { id, otpauth_uri } = created;
        return {
          json: { user: { id, ...details, ...(otpauth_uri !== undefined && { otpauth_uri }) } },
          text: `Created ${accountOf(details)}: ${id}${otpauth_uri === undefined ? "" : enrolment(totpKeys, otpauth_uri)}`,
        };
      });
    });
}

function addList(user: Command, context: CommandContext): void {
  addVerb(user, "list", "list a tenant's users", ["user list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant of the users")
    .action((options: TenantOptions) =>
      runForTenant(context, options, async (store, tenant) => {
        const users = (await store.users.list(tenant.id)).map(shown);
        const rows = users.map(({ id, type, dial_code, mobile, mfa, first_name, last_name }) => [
          ...[id, type, `+${dial_code} ${mobile}`, mfa ? "yes" : "no"],
          `${first_name} ${last_name}`.trim(),
        ]);
        return { json: { users }, text: formatTable(["ID", "TYPE", "NUMBER", "MFA", "NAME"], rows) };
      }),
    );
}

/** A verb that changes one user. The properties of `more` replace those of the printed user. */
type Change = {
  readonly description: string;
  readonly readsPassword?: true;
  readonly change: (
    store: Store,
    user: User,
    context: CommandContext,
    password: string,
  ) => Promise<{ more?: object; text: string }>;
};

const changes: { readonly [verb: string]: Change } = {
  "set-password": {
    description: "change a user's password, and end the user's sessions",
    readsPassword: true,
    async change(store, user, _, password) {
      assertThere(await store.users.setPassword(user.id, await hashPassword(password)), user.id);
      return { text: `The password of the ${accountOf(user)} was changed. The user's sessions have ended.` };
    },
  },
  "enable-mfa": {
    description: "require a new TOTP code at login, and end the user's sessions",
    async change(store, user, context) {
      await requireTotpKeys(store, context);
      const { totpKeys } = context;
      const tenant = await requireTenant(store, user.tenant_id);
      const otpauth_uri = await enableMfa({ store, totpKeys }, tenant, user);
      assertThere(otpauth_uri !== undefined, user.id);
      const text = `The ${accountOf(user)} now logs in with a code. The user's sessions have ended.${enrolment(totpKeys, otpauth_uri)}`;
      return { more: { mfa: true, otpauth_uri }, text };
    },
  },
  "disable-mfa": {
    description: "no longer require a TOTP code at login, and end the user's sessions",
    async change(store, user) {
      assertThere(await store.users.setTotp(user.id, null), user.id);
      const text = `The ${accountOf(user)} now logs in without a code. The user's sessions have ended.`;
      return { more: { mfa: false }, text };
    },
  },
  unlock: {
    description: "reset a user's count of failed logins, so that the user can log in again",
    async change(store, user) {
      await unlockAccount(store, user);
      return { text: `The failed logins of the ${accountOf(user)} were reset.` };
    },
  },
  remove: {
    description: "remove a user and the user's sessions, immediately and permanently",
    async change(store, user) {
      assertThere(await store.users.remove(user.id), user.id);
      return { text: `Removed the ${accountOf(user)}. The user's sessions have ended.` };
    },
  },
};

function addChange(
  noun: Command,
  context: CommandContext,
  verb: string,
  { description, readsPassword, change }: Change,
): void {
  const example = `user ${verb} ${anId}${readsPassword ? " --password-stdin < password.txt" : ""}`;
  const command = addVerb(noun, verb, description, [example])
    .argument("<id>", 'the user\'s id, see "user list"')
    .action(async (id: string, options: CommonOptions) => {
      const password = readsPassword ? await readPassword(context, command) : "";
      await context.run({ ...options, about: { user_id: id } }, async (store) => {
        const user = await store.users.find(id);
        assertThere(user !== undefined, id);
        const { more, text } = await change(store, user, context, password);
        return { tenant_id: user.tenant_id, json: { user: { ...shown(user), ...more } }, text };
      });
    });
  if (readsPassword) command.requiredOption(...passwordOption);
}

function enrolment({ current }: TotpKeys, otpauth_uri: string): string {
  const warning =
    current === undefined
      ? "\nIts secret is not encrypted in the database; set TOTP_SECRET_KEYS, here and for the server."
      : "";
  return `\nEnrol an authenticator app with this URI. It is shown only once. Store it now. A login sends the app's code as the property "token":\n${otpauth_uri}${warning}`;
}

/** Another process may remove the user while the command runs. @throws AdminError */
function assertThere(isThere: boolean, id: string): asserts isThere {
  if (!isThere) {
    throw new AdminError(`no user has the id ${id}; "user list --tenant ID" lists a tenant's users`);
  }
}

function shown({ id, type, dial_code, mobile, first_name, last_name, email, totp_secret }: User) {
  return { id, type, dial_code, mobile, first_name, last_name, email, mfa: totp_secret !== null };
}

function accountOf({ type, dial_code, mobile }: Pick<User, "type" | "dial_code" | "mobile">): string {
  return `${type} +${dial_code} ${mobile}`;
}
