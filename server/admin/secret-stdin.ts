/** Reads secrets from standard input, because arguments can be seen in the shell's history and in `ps`. */
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { hashOfApiKey } from "../domain/api-keys.ts";
import { longest, shortestPassword } from "../domain/registration.ts";
import type { CommandContext } from "./command.ts";

/** A character has at most four bytes in UTF-8. One newline may follow the password. */
const maxPasswordBytes = longest.password * 4 + "\r\n".length;
/** Enough for a key, which has 52 characters, and white space around it. */
const maxKeyBytes = 1024;

/** Asks for a line on a terminal, and does not show what is typed. Ctrl-C ends the process. */
export async function* typedSecret(
  input: NodeJS.ReadableStream,
  output: { write(text: string): unknown },
): AsyncGenerator<string> {
  output.write("Type or paste it, then press Enter (it is not shown): ");
  const lines = createInterface({ input, terminal: true });
  try {
    yield await new Promise<string>((resolve) => {
      lines.once("line", resolve).once("close", () => resolve(""));
      lines.once("SIGINT", () => {
        output.write("\n");
        lines.close();
        process.exit(130);
      });
    });
  } finally {
    lines.close();
    output.write("\n");
  }
}

/** Ignores white space around the key. If the text is not a valid key, the command exits with an error. */
export async function readApiKeyHash(
  stdin: AsyncIterable<Uint8Array | string>,
  command: Command,
): Promise<string> {
  const bytes = await readBytes(stdin, maxKeyBytes);
  const hash = bytes && hashOfApiKey(Buffer.from(bytes).toString("latin1").trim());
  if (hash === undefined) {
    command.error(
      "error: standard input has no valid API key; give the complete key, for example: --key-stdin < key.txt",
    );
  }
  return hash;
}

/** Ignores one newline at the end. If the password is invalid, the command exits with an error. */
export async function readPassword(
  { stdin, commonPasswords }: Pick<CommandContext, "stdin" | "commonPasswords">,
  command: Command,
): Promise<string> {
  const tooLong = `error: the password is longer than ${longest.password} characters; choose a shorter one`;
  const bytes = await readBytes(stdin, maxPasswordBytes);
  if (bytes === undefined) command.error(tooLong);
  const password = utf8(bytes)?.replace(/\r?\n$/, "");
  if (password === undefined) {
    command.error("error: the password is not UTF-8 text; give it on standard input as UTF-8");
  }
  if (password === "") {
    command.error(
      "error: the password is empty; give it on standard input, for example: --password-stdin < password.txt",
    );
  }
  const { length } = [...password];
  if (length > longest.password) command.error(tooLong);
  if (length < shortestPassword) {
    command.error(`error: the password is shorter than ${shortestPassword} characters; choose a longer one`);
  }
  if (commonPasswords === "reject" && (await isCommon(password))) {
    command.error(
      "error: the password is one of the most common ones; choose another, or set COMMON_PASSWORDS to accept",
    );
  }
  return password;
}

/**
 * Compares the whole password (NIST SP 800-63B-4, section 3.1.1.2) in lower case, as the list is. The list is loaded here,
 * because only two commands need it.
 */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(password.toLowerCase());
}

/** Returns undefined if there are more than `maxBytes`. The rest is not read, because the input may never end. */
async function readBytes(
  stdin: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    size += bytes.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Returns undefined for invalid UTF-8. With replacement characters in the password, the user could never log in. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
