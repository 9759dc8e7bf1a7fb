/** Writes a request as a POSIX shell command. The request may contain any bytes. */

import { shellQuoted } from "../generate/samples/http-samples.ts";
import type { HttpRequest } from "./exchange.ts";

/** @param quote quotes the value of a header if its name is given */
export function shellCommand(
  baseUrl: string,
  { method, target, headers, body }: HttpRequest,
  quote: (text: string, header?: string) => string = shellQuoted,
): string {
  const sent = headers.filter(([name, value]) => name !== "Accept" || value !== "*/*");
  const words = [
    // A response may not end with a newline, so the shell's prompt would be on the same line.
    `curl -sS -w '\\n' ${method === "HEAD" ? "--head" : `-X ${method}`}`,
    // Without this option, curl treats brackets and braces as a pattern.
    ...(/[[\]{}]/.test(target) ? ["-g"] : []),
    quote(baseUrl + target),
    ...sent.map(([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`, name)}`),
  ];
  if (body.byteLength === 0) return words.join(" ");
  const bytes = Buffer.from(body);
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes) && !/\p{Cc}/u.test(text))
    return [...words, `--data-raw ${quote(text)}`].join(" ");
  return [`printf -- ${shellQuoted(octal(bytes))} |`, ...words, "--data-binary @-"].join(" ");
}

function octal(bytes: Uint8Array): string {
  const escaped = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;
  return [...bytes]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x25 || byte === 0x5c
        ? escaped(byte)
        : String.fromCharCode(byte),
    )
    .join("");
}
