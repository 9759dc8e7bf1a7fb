/** Checks a running service against an OpenAPI document. */
import { validateHeaderValue } from "node:http";
import { allowOutsideOption, hasColours, runProgram, seedIn, UsageError } from "./toolkit/command.ts";

const help = `Checks a running service, in any language, against an OpenAPI document.

Usage: npm run conform -- --url URL [OPTIONS]

  --spec FILE    the document, YAML or JSON                     (spec/openapi.yaml)
  --url URL      the URL to which the document's paths are appended, such as http://127.0.0.1:4000/v2
  --header TEXT  add this header to every request, such as 'Authorization: Bearer KEY'; repeat it to add more
  --generate     also send generated requests: valid ones, and ones that the service must reject
  --seed N       generate other requests                        (1)
  --allow-outside DIR  references may also point to files in this folder; repeat it to allow more
  --lenient      continue if the document has errors, and list them
  --json         print the result as one JSON object
  --help         this text

Without --generate, it sends only the document's examples. They may change data too. If the service runs on another machine,
it first lists the operations that may change data. These are all that require a request body, and all whose method is not
GET, HEAD, OPTIONS or TRACE, except those with QUERY. Header values are never printed.

Exit status: 0 conforms, 1 does not, 2 wrong usage or nothing could be checked.
`;

/** Headers that describe a single request's body or connection, so they cannot be set for all requests. */
const ownHeaders = /^(?:content-(?:type|length|encoding)|transfer-encoding|connection)$/i;

if (import.meta.main)
  await runProgram({
    name: "npm run conform --",
    help,
    options: {
      spec: { type: "string", default: "spec/openapi.yaml" },
      url: { type: "string" },
      header: { type: "string", multiple: true, default: [] },
      generate: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      lenient: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      ...allowOutsideOption,
    },
    run: async ({ spec, url, header, generate, seed, lenient, json, "allow-outside": allowOutside }) => {
      if (url === undefined) throw new UsageError("give the URL of the service with --url URL");
      const choices = {
        spec,
        url: baseUrl(url),
        headers: header.map(headerIn),
        generate,
        seed: seedIn(seed),
        lenient,
        json,
        allowOutside,
      };
      // Loaded here because --help does not need it.
      const { conform } = await import("./toolkit/conformance/run-conform.ts");
      const { stdout, stderr } = process;
      return conform(choices, { stdout, stderr, isColoured: hasColours(stdout.isTTY, process.env.NO_COLOR) });
    },
  });

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password)
    throw new UsageError("--url must not contain a password; use --header 'Authorization: Basic …'");
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError(`--url must be a URL such as http://127.0.0.1:4000, not "${text}"`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** @throws UsageError, which never contains the value because it may be a secret */
function headerIn(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*\S)\s*$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError("--header must be 'Name: value', such as 'Authorization: Bearer KEY'");
  if (ownHeaders.test(name)) throw new UsageError(`--header must not set ${name}: each request has its own`);
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new UsageError(`the value of --header ${name} contains a character that HTTP does not allow`);
  }
  return [name, value];
}
