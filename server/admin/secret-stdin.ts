/** Secrets come from standard input, because arguments stay in the shell's history and in `ps`. */
import type { Command } from "commander";
import { hashOfApiKey } from "../domain/api-keys.ts";
import { longest, shortestPassword } from "../domain/registration.ts";

/** A character has at most four bytes in UTF-8. A newline may follow. */
const maxPasswordBytes = longest.password * 4 + "\r\n".length;
/** A key has 52 characters. White space may surround it. */
const maxKeyBytes = 1024;

/** White space around the key is ignored. Text that is no key ends the command. */
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

/** One newline at the end is ignored. An invalid password ends the command. */
export async function readPassword(
  stdin: AsyncIterable<Uint8Array | string>,
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
  return password;
}

/** Undefined if there are more than `maxBytes`. The rest is not read, because it may have no end. */
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

/** Undefined for bytes that are not text. With replacement characters, the user could never log in. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
