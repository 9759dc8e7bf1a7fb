/** The command `user` and its verbs. They never print passwords, and an otpauth:// URI only when its secret is made. */
import type { Command } from "commander";
import { unlockAccount } from "../domain/login-limits.ts";
import { hashPassword } from "../domain/passwords.ts";
import { enableMfa, registerUser } from "../domain/registration.ts";
import { DuplicateUserError, type Store, type User } from "../store/store.ts";
import {
  AdminError,
  addNoun,
  addVerb,
  type CommandContext,
  formatTable,
  requireTenant,
  requireTotpKeys,
} from "./command.ts";
import { parseDialCode, parseEmail, parseMobile, parseName, parseText } from "./option-values.ts";
import { readPassword } from "./secret-stdin.ts";

type CreateOptions = {
  tenant: string;
  type: string;
  dialCode: string;
  mobile: string;
  firstName: string;
  lastName: string;
  email: string;
  mfa?: boolean;
  json?: boolean;
};

type Json = { json?: boolean };

const idMeaning = 'the user\'s id, see "user list"';
const passwordMeaning = "read the password from standard input until the input ends";
const anId = "7d1f6a52-43a5-4f6b-8f0e-1f4d3f8a2b10";

export function addUserCommands(program: Command, context: CommandContext): void {
  const { run, totpKeys } = context;
  const user = addNoun(program, "user", "users, who log in with mobile number and password", [
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin < password.txt",
    "user list --tenant ID",
    `user set-password ${anId} --password-stdin < password.txt`,
  ]);

  addVerb(user, "create", "create a user", [
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin < password.txt",
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin --mfa --json",
  ])
    .requiredOption("--tenant <id>", "the tenant of the user")
    .requiredOption("--type <role>", "the role to log in as, such as customer", parseText)
    .requiredOption("--dial-code <digits>", "country dial code without the +", parseDialCode)
    .requiredOption("--mobile <digits>", "mobile number, 4 to 15 digits", parseMobile)
    .requiredOption("--password-stdin", passwordMeaning)
    .option("--first-name <name>", "first name", parseName, "")
    .option("--last-name <name>", "last name", parseName, "")
    .option("--email <address>", "e-mail address", parseEmail, "")
    .option("--mfa", "require a TOTP code at login, and show the otpauth:// URI once")
    .action(async (options: CreateOptions, command: Command) => {
      const password = await readPassword(context, command);
      await run(options, async (store) => {
        const tenant = await requireTenant(store, options.tenant);
        if (options.mfa) await requireTotpKeys(store, context);
        const details = {
          type: options.type,
          dial_code: options.dialCode,
          mobile: options.mobile,
          first_name: options.firstName,
          last_name: options.lastName,
          email: options.email,
        };
        const registration = { ...details, password, mfa: options.mfa === true };
        const { id, otpauth_uri } = await registerUser({ store, totpKeys }, tenant, registration).catch(
          (error: unknown) => {
            if (!(error instanceof DuplicateUserError)) throw error;
            throw new AdminError(
              `the tenant already has a ${accountOf(details)}; choose another number or type`,
            );
          },
        );
        const created = { id, ...details };
        return {
          json: { user: otpauth_uri === undefined ? created : { ...created, otpauth_uri } },
          text: `Created ${accountOf(details)}: ${id}${otpauth_uri === undefined ? "" : enrolment(otpauth_uri)}`,
        };
      });
    });

  addVerb(user, "list", "list a tenant's users", ["user list --tenant ID"])
    .requiredOption("--tenant <id>", "the tenant of the users")
    .action((options: Json & { tenant: string }) =>
      run(options, async (store) => {
        const { id: tenant_id } = await requireTenant(store, options.tenant);
        const users = (await store.users.list(tenant_id)).map(shown);
        const rows = users.map(({ id, type, dial_code, mobile, mfa, first_name, last_name }) => [
          ...[id, type, `+${dial_code} ${mobile}`, mfa ? "yes" : "no"],
          `${first_name} ${last_name}`.trim(),
        ]);
        return { json: { users }, text: formatTable(["ID", "TYPE", "NUMBER", "MFA", "NAME"], rows) };
      }),
    );

  addVerb(user, "set-password", "change a user's password, and end the user's sessions", [
    `user set-password ${anId} --password-stdin < password.txt`,
  ])
    .argument("<id>", idMeaning)
    .requiredOption("--password-stdin", passwordMeaning)
    .action(async (id: string, options: Json, command: Command) => {
      const password = await readPassword(context, command);
      await run({ ...options, about: { user_id: id } }, async (store) => {
        const changed = await requireUser(store, id);
        assertThere(await store.users.setPassword(id, await hashPassword(password)), id);
        return {
          tenant_id: changed.tenant_id,
          json: { user: shown(changed) },
          text: `The password of the ${accountOf(changed)} was changed. The user's sessions have ended.`,
        };
      });
    });

  addChange(
    "enable-mfa",
    "require a new TOTP code at login, and end the user's sessions",
    async (store, changed) => {
      await requireTotpKeys(store, context);
      const tenant = await requireTenant(store, changed.tenant_id);
      const otpauth_uri = await enableMfa({ store, totpKeys }, tenant, changed);
      assertThere(otpauth_uri !== undefined, changed.id);
      const text = `The ${accountOf(changed)} now logs in with a code. The user's sessions have ended.${enrolment(otpauth_uri)}`;
      return { more: { mfa: true, otpauth_uri }, text };
    },
  );

  addChange(
    "disable-mfa",
    "no longer require a TOTP code at login, and end the user's sessions",
    async (store, changed) => {
      assertThere(await store.users.setTotp(changed.id, null), changed.id);
      const text = `The ${accountOf(changed)} now logs in without a code. The user's sessions have ended.`;
      return { more: { mfa: false }, text };
    },
  );

  addChange(
    "unlock",
    "reset a user's count of failed logins, so that the user can log in again",
    async (store, unlocked) => {
      await unlockAccount(store, unlocked);
      return { text: `The failed logins of the ${accountOf(unlocked)} were reset.` };
    },
  );

  addChange(
    "remove",
    "remove a user and the user's sessions, immediately and permanently",
    async (store, removed) => {
      assertThere(await store.users.remove(removed.id), removed.id);
      return { text: `Removed the ${accountOf(removed)}. The user's sessions have ended.` };
    },
  );

  /** Adds a verb that changes one user. The properties of `more` replace those of the printed user. */
  function addChange(
    verb: string,
    description: string,
    change: (store: Store, user: User) => Promise<{ more?: object; text: string }>,
  ): void {
    addVerb(user, verb, description, [`user ${verb} ${anId}`])
      .argument("<id>", idMeaning)
      .action((id: string, options: Json) =>
        run({ ...options, about: { user_id: id } }, async (store) => {
          const found = await requireUser(store, id);
          const { more, text } = await change(store, found);
          return { tenant_id: found.tenant_id, json: { user: { ...shown(found), ...more } }, text };
        }),
      );
  }

  function enrolment(otpauth_uri: string): string {
    const warning =
      totpKeys.current === undefined
        ? "\nIts secret is not encrypted in the database; set TOTP_SECRET_KEYS, here and for the server."
        : "";
    return `\nEnrol an authenticator app with this URI. It is shown only once. Store it now:\n${otpauth_uri}${warning}`;
  }
}

/** @throws AdminError */
async function requireUser(store: Store, id: string): Promise<User> {
  const user = await store.users.find(id);
  assertThere(user !== undefined, id);
  return user;
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
