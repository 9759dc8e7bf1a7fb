/** Reads a password from standard input: an argument would stay in the shell's history and in `ps`. */
import { buffer as readBytes } from "node:stream/consumers";
import type { Command } from "commander";
import { longest } from "../domain/registration.ts";

/** One newline at the end is left out. What is no password ends the command as wrong usage. */
export async function readPassword(
  stdin: AsyncIterable<Uint8Array | string>,
  command: Command,
): Promise<string> {
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
    command.error(`error: the password is longer than ${longest.password} characters; choose a shorter one`);
  }
  return password;
}

/** Undefined for bytes that are no text: replaced by some other character, nobody could log in with them. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
