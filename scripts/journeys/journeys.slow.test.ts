/** The journeys against a live server, by the client and by Redocly's runner, and what a person is told who gets one wrong. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import {
  mfaUser,
  plainUser,
  rightPassword,
  startService,
  type TestService,
} from "../../server/testing/service.ts";
import { audit } from "../audit/audit.ts";
import { readHar } from "../audit/har.ts";
import { ended, type Run } from "../generate/testing.ts";
import { type Journey, readJourneys } from "./arazzo.ts";

const spec = "spec/journeys.arazzo.yaml";
const operationIds = Object.keys(contract.operations);
let folder: string;
let service: TestService;
let journeys: Journey[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "journeys-"));
  await copyFile("spec/openapi.yaml", join(folder, "openapi.yaml"));
  service = await startService();
  journeys = await readJourneys(spec, operationIds);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** With a code that was not used before. */
function freshInputs() {
  service.time += 90_000;
  return {
    secret_key: service.acme.secretKey,
    publishable_key: service.acme.publishableKey,
    webhook_id: service.acme.webhook.id,
    dial_code: plainUser.dial_code,
    mobile: plainUser.mobile,
    user_type: plainUser.type,
    password: rightPassword,
    mfa_dial_code: mfaUser.dial_code,
    mfa_mobile: mfaUser.mobile,
    mfa_user_type: mfaUser.type,
    mfa_password: rightPassword,
    mfa_code: generateSync({ secret: service.totpSecret, epoch: Math.floor(service.time / 1000) }),
  };
}

const command = (args: readonly string[]): Promise<Run> =>
  ended([process.execPath, "scripts/journeys.ts", ...args]);

async function run(inputs: object | string, ...args: readonly string[]): Promise<Run> {
  const file = join(await mkdtemp(join(folder, "inputs-")), "inputs.json");
  await writeFile(file, typeof inputs === "string" ? inputs : JSON.stringify(inputs));
  const { stderr, ...rest } = await command(["--server", service.url, "--inputs", file, ...args]);
  return { ...rest, stderr: stderr.replaceAll(file, "INPUTS") };
}

const passed = (title: string) => `passed   ${title}`;
const titles = {
  submitCommission: "submitCommission  A definition is submitted, and an equal one is the same record",
  logIn: "logIn  An account without MFA logs in with its password alone",
  logInWithCode:
    "logInWithCode  An account with MFA is asked for its code only once its password held, and its code works once",
  retrieveWebhook: "retrieveWebhook  The tenant's webhook is found, and no other",
  needKey: "needKey  Nothing is answered without a key, and secrets not to a publishable one",
};

describe("the journeys", () => {
  it("lead through every operation", () => {
    const called = journeys.flatMap(({ steps }) => steps.map(({ operationId }) => operationId));
    expect(new Set(called)).toEqual(new Set(operationIds));
  });

  it("pass by the client, all of them", async () => {
    expect(await run(freshInputs())).toEqual({
      status: 0,
      stdout: `${Object.values(titles).map(passed).join("\n")}\n\n5 passed, 0 failed, 0 not run\n`,
      stderr: "",
    });
  });

  it("pass by Respect, all but those whose content it cannot send, and what it saw is as the spec says", async () => {
    const sendsContent = ({ steps }: Journey) =>
      steps.some(
        ({ operationId, content }) =>
          content !== undefined &&
          contract.operations[operationId as "loginUser"].method === ("GET" as string),
      );
    const left = journeys.filter(sendsContent).map(({ id }) => id);
    expect(left).toEqual(["submitCommission"]);
    const inputs = freshInputs();
    const har = join(folder, "respect.har");
    const { status, output } = await respect(
      [
        spec,
        "--server",
        `commerce=${service.url}`,
        ...left.flatMap((id) => ["--skip", id]),
        "--har-output",
        har,
      ],
      inputs,
    );
    expect({ status, summary: /Workflows: .*/.exec(output)?.[0] }).toEqual({
      status: 0,
      summary: "Workflows: 4 passed, 4 total",
    });
    const secrets = [inputs.secret_key, inputs.publishable_key, inputs.password];
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
    const { entries, findings } = await audit(contract, [service.url], await readHar(har));
    const sent = journeys.filter(({ id }) => !left.includes(id)).flatMap(({ steps }) => steps).length;
    expect({ entries, findings }).toEqual({
      entries: { described: sent - 2, refused: 2, preflights: 0, unanswered: 0, undescribed: 0, others: {} },
      findings: [],
    });
  });
});

/** Inputs go through the environment: a command line can be seen by every user of the machine. */
function respect(args: readonly string[], inputs: object): Promise<{ status: unknown; output: string }> {
  const env = {
    PATH: process.env.PATH,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
  };
  return new Promise((done) => {
    execFile(
      process.execPath,
      ["node_modules/@redocly/cli/bin/cli.js", "respect", ...args, "--verbose"],
      { env },
      (error, stdout, stderr) => done({ status: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe("a run", () => {
  it("leaves out journeys whose inputs are not given, and names these", async () => {
    const { publishable_key, secret_key } = freshInputs();
    expect(await run({ publishable_key, secret_key })).toEqual({
      status: 0,
      stdout: [
        passed(titles.submitCommission),
        `not run  ${titles.logIn}`,
        "         give dial_code, mobile, user_type, password",
        `not run  ${titles.logInWithCode}`,
        "         give mfa_dial_code, mfa_mobile, mfa_user_type, mfa_password, mfa_code",
        `not run  ${titles.retrieveWebhook}`,
        "         give webhook_id",
        passed(titles.needKey),
        "",
        "2 passed, 0 failed, 3 not run",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  it("that could run nothing did not pass", async () => {
    const { status, stdout } = await run({ mobile: "1" });
    expect({ status, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      status: 2,
      last: "0 passed, 0 failed, 5 not run",
    });
  });

  it("ends a journey at its first failure, tells what did not hold, and goes on with the next", async () => {
    const { secret_key, publishable_key } = freshInputs();
    const inputs = { secret_key, publishable_key, webhook_id: service.rival.webhook.id };
    const { status, stdout, stderr } = await run(inputs);
    const lines = stdout
      .split("\n")
      .filter((line) => !line.startsWith("not run") && !line.includes("  give "));
    expect({ status, lines, stderr }).toEqual({
      status: 1,
      lines: [
        passed(titles.submitCommission),
        `failed   ${titles.retrieveWebhook}`,
        expect.stringMatching(/^ {9}retrieve \(getWebhook\) answered 404, request [0-9a-f-]{36}$/),
        "           $statusCode == 200 does not hold",
        "           $response.body#/data/webhook/id == $inputs.webhook_id does not hold",
        passed(titles.needKey),
        "",
        "2 passed, 1 failed, 2 not run",
        "",
      ],
      stderr: "",
    });
  });

  it.each([
    [
      502,
      "text/html",
      "<h1>Bad gateway</h1>",
      ["the spec does not describe the answer", "$statusCode == 401 does not hold"],
    ],
    [401, "application/json", '{"status":false,"error":{}}', ["the answer's /error/code is required"]],
  ])(
    "fails by an answer that the spec does not describe, at once: %i %s",
    async (status, contentType, text, faults) => {
      let requests = 0;
      const server = createServer((_, response) => {
        requests += 1;
        response.writeHead(status, { "content-type": contentType }).end(text);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { publishable_key } = freshInputs();
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const result = await run({ publishable_key }, "--server", url);
      server.close();
      expect({ status: result.status, requests }).toEqual({ status: 1, requests: 1 });
      for (const fault of faults) expect(result.stdout).toContain(`           ${fault}\n`);
    },
  );

  it("tells of a server that does not answer", async () => {
    const { publishable_key } = freshInputs();
    const { status, stdout } = await run({ publishable_key }, "--server", "http://127.0.0.1:1");
    expect(status).toBe(1);
    expect(stdout).toContain(
      "         refuseNoKey (getWebhook)\n           getWebhook: no whole response came (",
    );
  });
});

describe("bad input", () => {
  it.each([
    [["--inputs", "a"], "name --server URL and --inputs FILE; see npm run journeys -- --help\n"],
    [["--server", "http://a"], "name --server URL and --inputs FILE; see npm run journeys -- --help\n"],
    [["--sever", "http://a"], "Unknown option '--sever'; see npm run journeys -- --help\n"],
    [["http://a"], "Unexpected argument 'http://a'; see npm run journeys -- --help\n"],
    [
      ["--server", "localhost:3000", "--inputs", "a"],
      "--server must be a URL of http or https, without user, password, query or fragment; see npm run journeys -- --help\n",
    ],
    [
      ["--server", "http://a", "--inputs", "nowhere.json"],
      "nowhere.json  no such file; name a JSON file with --inputs FILE\nNothing was run.\n",
    ],
    [
      ["--server", "http://a", "--inputs", "docs"],
      "docs  is a folder; name a JSON file with --inputs FILE\nNothing was run.\n",
    ],
    [
      ["--server", "http://a", "--inputs", "a", "--spec", "nowhere.yaml"],
      "nowhere.yaml  no such file; name an Arazzo document\nNothing was run.\n",
    ],
    [
      ["--server", "http://a", "--inputs", "a", "--spec", "docs"],
      "docs  is a folder; name an Arazzo document\nNothing was run.\n",
    ],
    [
      ["--server", "http://a", "--inputs", "a", "--spec", "spec/openapi.yaml"],
      "spec/openapi.yaml:1:1  not an Arazzo document; begin with `arazzo: 1.0.1`\nNothing was run.\n",
    ],
  ])("is told in one line: %j", async (args, stderr) => {
    expect(await command(args)).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each([
    ['{"password":"hunter2"', 'INPUTS  is no JSON object; write one such as {"name": "value"}\n'],
    ['["hunter2"]', 'INPUTS  is no JSON object; write one such as {"name": "value"}\n'],
    [
      '{"webhook_id":"1","mobile":1}',
      "INPUTS  webhook_id must be of type integer\nINPUTS  mobile must be of type string\n",
    ],
    [
      '{"webhok_id":1}',
      "INPUTS  no journey takes webhok_id; those taken are secret_key, publishable_key, dial_code, mobile, user_type, password, mfa_dial_code, mfa_mobile, mfa_user_type, mfa_password, mfa_code, webhook_id\n",
    ],
  ])("of inputs is told without repeating them: %s", async (inputs, stderr) => {
    expect(await run(inputs)).toEqual({ status: 2, stdout: "", stderr: `${stderr}Nothing was run.\n` });
  });

  /** Stands where the fault is expected. */
  const mark = "▸";
  it.each([
    [
      "an unknown operation",
      "operationId: getWebhook",
      "▸operationId: getWebhok",
      "no operation is called getWebhok; correct the name",
    ],
    [
      "an unknown input",
      "value: $inputs.webhook_id",
      "▸value: $inputs.webhok_id",
      "the workflow has no input webhok_id; declare it under `inputs`",
    ],
    [
      "an unknown input within text",
      'value: "Bearer {$inputs.secret_key}"',
      '▸value: "Bearer {$inputs.sekret_key}"',
      "the workflow has no input sekret_key; declare it under `inputs`",
    ],
    [
      "an output of a later step",
      "dial_code: $inputs.dial_code",
      "▸dial_code: $steps.logIn.outputs.user",
      "no step before this one is logIn with the output user; correct the name",
    ],
    [
      "an expression that is none",
      "mobile: $inputs.mobile",
      "▸mobile: $mobile",
      "$mobile is not understood; write an expression or a condition of Arazzo that this command knows",
    ],
    [
      "an output that is no expression",
      "user: $response.body#/data/user/id",
      "▸user: $response.user",
      "$response.user is not understood; write an expression or a condition of Arazzo that this command knows",
    ],
    [
      "a condition that is none",
      "condition: $statusCode == 404",
      "▸condition: $statusCode is 404",
      "$statusCode is 404 is not understood; write an expression or a condition of Arazzo that this command knows, such as `$statusCode == 200`",
    ],
    [
      "what a run would pass over",
      "stepId: missUnknown",
      "stepId: missUnknown\n        ▸onFailure: [{ name: again, type: end }]",
      "this command does not run `onFailure`, and would pass over it; take it out, or write steps of operations alone",
    ],
    [
      "a secret that a run would show",
      "description: A secret API key of the tenant.\n      type: string\n      format: password",
      "▸description: A secret API key of the tenant.\n      type: string",
      "The name is one of a secret: add `format: password`, so that no run of the journeys shows it. (rule/secret-inputs-are-passwords)",
    ],
    [
      "a field that Arazzo does not have",
      "stepId: missUnknown",
      "stepId: missUnknown\n        ▸retries: 3",
      "Property `retries` is not expected here. (struct)",
    ],
  ])("of a document is told with its place: %s", async (_, find, replacement, message) => {
    const text = await readFile(spec, "utf8");
    expect(text).toContain(find);
    const marked = text.replace(find, () => replacement);
    const before = (marked.split(mark, 1)[0] ?? "").split("\n");
    const file = join(folder, "journeys.arazzo.yaml");
    await writeFile(file, marked.replace(mark, ""));
    const place = `${relative(process.cwd(), file)}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
    await expect(readJourneys(file, operationIds)).rejects.toThrow(`${place}  ${message}`);
  });
});
