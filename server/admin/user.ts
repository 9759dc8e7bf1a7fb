/** `user create`. The password comes from standard input: an argument would stay in the shell's history and in `ps`. */
import { buffer as readBytes } from "node:stream/consumers";
import type { Command } from "commander";
import { longest, registerUser } from "../domain/registration.ts";
import { DuplicateUserError } from "../store/store.ts";
import { parseDialCode, parseEmail, parseMobile, parseName, parseText } from "./option-values.ts";
import { type AdminSession, addNoun, addVerb, RefusedError, requireTenant } from "./session.ts";

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

export function addUserCommands(program: Command, { withStore, print, stdin }: AdminSession): void {
  const user = addNoun(program, "user", "who logs in", [
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin < password.txt",
  ]);

  addVerb(user, "create", "create a user", [
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin < password.txt",
    "user create --tenant ID --type customer --dial-code 91 --mobile 9876543210 --password-stdin --mfa --json",
  ])
    .requiredOption("--tenant <id>", "the tenant it belongs to")
    .requiredOption("--type <role>", "the role to log in as, such as customer", parseText)
    .requiredOption("--dial-code <digits>", "country dial code without the +", parseDialCode)
    .requiredOption("--mobile <digits>", "mobile number, 4 to 15 digits", parseMobile)
    .requiredOption("--password-stdin", "read the password from standard input, to its end")
    .option("--first-name <name>", "first name", parseName, "")
    .option("--last-name <name>", "last name", parseName, "")
    .option("--email <address>", "e-mail address", parseEmail, "")
    .option("--mfa", "require a TOTP code at login, and show the otpauth:// URI once")
    .action(async (options: CreateOptions, command: Command) => {
      const password = utf8(await readBytes(stdin))?.replace(/\r?\n$/, "");
      if (password === undefined) {
        command.error("error: the password is not UTF-8 text; give it on standard input in that encoding");
      }
      if (password === "") {
        command.error(
          "error: the password is empty; give it on standard input, as in: --password-stdin < password.txt",
        );
      }
      if ([...password].length > longest.password) {
        command.error(
          `error: the password is longer than ${longest.password} characters; choose a shorter one`,
        );
      }
      await withStore(async (store) => {
        const tenant = await requireTenant(store, options.tenant);
        const details = {
          type: options.type,
          dial_code: options.dialCode,
          mobile: options.mobile,
          first_name: options.firstName,
          last_name: options.lastName,
          email: options.email,
        };
        const account = `${details.type} +${details.dial_code} ${details.mobile}`;
        const registration = { ...details, password, mfa: options.mfa === true };
        const { user, otpauth_uri } = await registerUser(store, tenant, registration).catch(
          (error: unknown) => {
            if (!(error instanceof DuplicateUserError)) throw error;
            throw new RefusedError(`the tenant has a ${account} already; choose another number or type`);
          },
        );
        const created = { id: user.id, ...details };
        const enrolment =
          otpauth_uri === undefined
            ? ""
            : `\nEnrol an authenticator app with this URI. It is shown this once only; keep it now:\n${otpauth_uri}`;
        print(options.json, {
          json: { user: otpauth_uri === undefined ? created : { ...created, otpauth_uri } },
          text: `Created ${account}: ${user.id}${enrolment}`,
        });
      });
    });
}

/** Undefined for bytes that are no text: replaced by some other character, nobody could log in with them. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
