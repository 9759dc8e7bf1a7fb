/** Checks a running service against an OpenAPI document. */
import { readFileSync } from "node:fs";
import { validateHeaderValue } from "node:http";
import { type Command, InvalidArgumentError, Option } from "commander";
import { problemOfWebhookSecret } from "#specbind/standard-webhooks";
import type { ConformOptions } from "../conformance/run-conform.ts";
import { hasColours } from "./colours.ts";
import { action, allowOutsideOption, collectText, createCommand, parseSeed } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

const examples = `Without --generate, it sends only the document's examples. They may change data too. If the service runs on another
machine, it first lists the operations that may change data. These are all that require a request body, and all whose method
is not GET, HEAD, OPTIONS or TRACE, except those with QUERY. Header values are never printed.

If the service runs on this machine, the command also listens for its callbacks and checks them. With --webhook, it checks a
receiver of this webhook instead: --url is then the URL of the receiver.`;

interface Options extends Omit<ConformOptions, "url" | "headers" | "webhook" | "webhookName" | "tls"> {
  readonly url: string | undefined;
  readonly webhook: string | undefined;
  readonly header: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** Headers that describe a single request's body or connection, so they cannot be set for all requests. */
const ownHeaders = /^(?:content-(?:type|length|encoding)|transfer-encoding|connection)$/i;

export function conformCommand(project: Project): Command {
  const { spec } = project;
  return createCommand(
    nameOf(project, "conform"),
    `Checks a running service, in any language, against an OpenAPI document.\n\n${examples}`,
    "0 conforms, 1 does not, 2 wrong usage or nothing could be checked.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option(
      "--url <URL>",
      "the URL to which the document's paths are appended, such as http://127.0.0.1:4000/v2",
    )
    .option(
      "--header <TEXT>",
      "add this header to every request, such as 'Authorization: Bearer KEY'; repeat it to add more",
      collectText,
      [],
    )
    .option("--cert <FILE>", "the client's certificate for mutual TLS, in PEM format", fileText)
    .option("--key <FILE>", "the key of the client's certificate", fileText)
    .option("--ca <FILE>", "the certificate authority of a service with HTTPS, if it is not public", fileText)
    .option(
      "--generate",
      "also send generated requests: valid ones, and ones that the service must reject",
      false,
    )
    .option("--thorough", "generate many more requests", false)
    .option("--seed <N>", "generate other requests", parseSeed, 1)
    .option("--only <OPERATION>", "check only this operation; repeat it to check more", collectText, [])
    .option("--webhook <NAME>", "check a receiver of this webhook or callback")
    .option("--secret <SECRET>", "the receiver's secret, whsec_…; also checks how it treats signatures")
    .option("--may-reject", "accept that the service rejects values that its schemas allow", false)
    .option(
      "--strict",
      "also report what HTTP and OpenAPI permit, such as a service that accepts a parameter twice",
      false,
    )
    .option(...allowOutsideOption(project))
    .option("--lenient", "continue if the document has errors, and count them", false)
    .addOption(
      new Option("--format <FORMAT>", "the form of the output")
        .choices(["text", "json", "markdown", "junit"] satisfies ConformOptions["format"][])
        .default("text"),
    )
    .addOption(new Option("--json", "the same as --format json").implies({ format: "json" }))
    .action(
      action(async ({ url, header, webhook: webhookName, ...options }: Options, command: Command) => {
        const { cert, key, ca, ...others } = options;
        if (url === undefined) command.error("give the URL of the service with --url URL");
        const problem = others.secret === undefined ? undefined : problemOfWebhookSecret(others.secret);
        if (problem !== undefined) command.error(`--secret ${problem}`);
        if (others.secret !== undefined && webhookName === undefined)
          command.error("--secret signs the webhook that --webhook NAME names; give both");
        if ((cert === undefined) !== (key === undefined)) command.error("give both --cert and --key");
        const tls = { ...(cert && key && { cert, key }), ...(ca && { ca }) };
        const headers = header.map((text) => headerIn(text, command));
        const choices = { ...others, webhookName, url: baseUrl(url, command), headers, tls };
        // Loaded here because --help does not need it.
        const { conform } = await import("../conformance/run-conform.ts");
        const { stdout, stderr } = process;
        return conform(choices, {
          stdout,
          stderr,
          isColoured: hasColours(stdout.isTTY, process.env.NO_COLOR),
        });
      }),
    );
}

function baseUrl(text: string, command: Command): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password)
    command.error("--url must not contain a password; use --header 'Authorization: Basic …'");
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    command.error(`--url must be a URL such as http://127.0.0.1:4000, not "${text}"`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new InvalidArgumentError("It must be a file that can be read.");
  }
}

/** An error never contains the value, because it may be a secret. */
function headerIn(text: string, command: Command): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*\S)\s*$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    command.error("--header must be 'Name: value', such as 'Authorization: Bearer KEY'");
  if (ownHeaders.test(name)) command.error(`--header must not set ${name}: each request has its own`);
  try {
    validateHeaderValue(name, value);
  } catch {
    command.error(`the value of --header ${name} contains a character that HTTP does not allow`);
  }
  return [name, value];
}
