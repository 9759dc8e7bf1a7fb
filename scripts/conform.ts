/** Checks a running service, or recorded traffic, against an OpenAPI document. */
import { validateHeaderValue } from "node:http";
import { hasColours, runProgram, UsageError } from "./command.ts";

const help = `Checks a running service in any language, or recorded traffic, against an OpenAPI document.

Usage: npm run conform -- --url URL [OPTIONS]
       npm run conform -- --har FILE [OPTIONS]

  --spec FILE    the document, YAML or JSON                     (spec/openapi.yaml)
  --url URL      the URL that the paths of the document follow, such as http://127.0.0.1:4000/v2;
                 with --har also more than once                 (the servers of the document)
  --header TEXT  a header of every request, such as 'Authorization: Bearer KEY'; may be given more than once
  --generate     also send generated requests: valid ones, and ones that the service must reject
  --seed N       generates the same requests again              (a random number, which is printed)
  --har FILE     checks a recording (HAR 1.2) of a browser, a proxy or a test tool instead of a service
  --lenient      ignore rules of the document that cannot be enforced, and list them
  --json         print the result as one JSON object
  --help         this text

Without --generate, it sends only the examples of the document. Examples may write data. If the service runs on another
machine, the operations that may write are listed first: all except GET, HEAD, OPTIONS and TRACE, and all with a required
request body. It never prints values of headers, or secrets and queries of a recording.

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
      url: { type: "string", multiple: true, default: [] },
      header: { type: "string", multiple: true, default: [] },
      generate: { type: "boolean", default: false },
      seed: { type: "string" },
      har: { type: "string" },
      lenient: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    run: async ({ spec, url, header, generate, seed, har, lenient, json }) => {
      if (har === undefined && url.length !== 1)
        throw new UsageError("give a service with --url URL, or a recording with --har FILE");
      if (har !== undefined && (header.length > 0 || generate || seed !== undefined))
        throw new UsageError("--header, --generate and --seed are for a service, not for --har");
      if (seed !== undefined && !/^\d{1,9}$/.test(seed))
        throw new UsageError(`--seed must be a whole number of at most 9 digits, not "${seed}"`);
      const choices = {
        spec,
        urls: url.map(baseUrl),
        headers: header.map(headerIn),
        generate,
        seed: Number(seed ?? Date.now() % 1_000_000),
        har,
        lenient,
        json,
      };
      // Loaded here because it loads the compiler, which --help does not need.
      const { conform } = await import("./conformance/run-conform.ts");
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
  if (ownHeaders.test(name)) throw new UsageError(`--header must not set ${name}: each request sets it`);
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new UsageError(`the value of --header ${name} has a character that HTTP does not allow`);
  }
  return [name, value];
}
