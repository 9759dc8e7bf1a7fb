/** The reference page as a command, and its samples: each is run against the real service. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../generated/contract.ts";
import packageJson from "../package.json" with { type: "json" };
import { hashPassword } from "../server/domain/passwords.ts";
import { createWebhook } from "../server/domain/registration.ts";
import { mfaUser, startService, type TestService } from "../server/testing/service.ts";
import { textOf } from "./generate/docs/testing.ts";
import { snippetErrors } from "./testing/snippets.ts";

const page = readFileSync("generated/docs.html", "utf8");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docs-command-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is shown of one language, by operation and rank, with the status that the page says is answered. */
function samplesIn(language: string) {
  return [...page.matchAll(/<section class="operation" id="(\w+)">(.*?)<div class="parts">/gs)].flatMap(
    ([, id = "", samples = ""]) =>
      samples
        .split("<fieldset>")
        .slice(1)
        .map((sample, index) => {
          const [, block = ""] = sample.split(`data-language="${language}">`);
          const [, code = ""] = /<code>(.*?)<\/code><\/pre>/s.exec(block) ?? [];
          const [, status = ""] = /<p class="answer">Answers <b class="good">(\d+)<\/b>/.exec(sample) ?? [];
          return { id, name: `${id} ${index + 1}`, text: textOf(code), status };
        }),
  );
}

describe("npm run docs", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/docs.ts", ...args], { encoding: "utf8" });

  it("writes the page that was generated", () => {
    const out = join(folder, "docs.html");
    expect(run("--out", out)).toMatchObject({ status: 0, stdout: `wrote ${out}\n`, stderr: "" });
    expect(readFileSync(out, "utf8")).toBe(page);
  });

  it("writes the page of another document, and says how much of it cannot be held to", () => {
    const out = join(folder, "everything.html");
    const spec = "scripts/generate/fixtures/reject/webhooks.yaml";
    expect(run("--spec", spec, "--out", out)).toMatchObject({
      status: 0,
      stdout: `wrote ${out}\n`,
      stderr: `1 place is shown as far as can be; \`npm run generate -- --spec ${spec}\` lists them\n`,
    });
    expect(readFileSync(out, "utf8")).toContain("</html>");
  });

  it("leaves nothing behind where it cannot read or write", () => {
    const before = readdirSync(folder);
    expect(run("--spec", "nowhere.yaml", "--out", join(folder, "none.html"))).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "nowhere.yaml  no such file; name the spec with --spec FILE\nNothing was written.\n",
    });
    const nowhere = join(folder, "no-folder", "docs.html");
    expect(run("--out", nowhere)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `${nowhere} cannot be written (ENOENT); name another place with --out FILE\n`,
    });
    const tooLarge = join(folder, "too-large.html");
    expect(
      spawnSync(
        "sh",
        ["-c", `ulimit -f 8; exec "$0" scripts/docs.ts --out "$1"`, process.execPath, tooLarge],
        {
          encoding: "utf8",
        },
      ),
    ).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `${tooLarge} cannot be written (EFBIG); name another place with --out FILE\n`,
    });
    expect(readdirSync(folder)).toEqual(before);
  });
});

/** One that has what the examples speak of; its clock stands at the first moment of RFC 6238, appendix B. */
async function serviceOfExamples(): Promise<TestService> {
  const service = await startService();
  const { store, acme, totpKeys } = service;
  const [later, user] = await Promise.all([
    createWebhook(store, { tenant_id: acme.tenant.id, url: "https://shop.test/", events: ["order.created"] }),
    store.users.findByLogin({ tenant_id: acme.tenant.id, ...mfaUser }),
  ]);
  expect(later.id).toBe(3);
  const id = user?.id ?? "";
  await store.users.setPassword(id, await hashPassword("an0ther long passphrase"));
  await store.users.setTotp(id, totpKeys.seal(id, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"));
  service.time = 59_000;
  return service;
}

describe.each([
  ["curl", "sh", (text: string) => ["-c", `${text} -s -w '\n%{http_code}\n'`]],
  ["TypeScript", process.execPath, (text: string) => ["--input-type=module-typescript", "--eval", text]],
] as const)("the samples in %s", (language, program, argsOf) => {
  const samples = samplesIn(language);
  let service: TestService;
  beforeAll(async () => {
    service = await serviceOfExamples();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it("are of every operation, two where it has as many examples, and all answer with success", () => {
    expect(new Set(samples.map(({ id }) => id))).toEqual(new Set(Object.keys(contract.operations)));
    expect(samples.map(({ name }) => name)).toContain("getWebhook 2");
    expect(samples.filter(({ status }) => !/^2\d\d$/.test(status))).toEqual([]);
  });

  it.each(samples)(
    "run against the service, and get the answer that is shown: $name",
    async ({ text, status }) => {
      const { url, acme } = service;
      const env = { PATH: process.env.PATH, API_KEY: acme.secretKey };
      const args = argsOf(text.replaceAll("http://127.0.0.1:3000", url));
      const { stdout } = await promisify(execFile)(program, args, { env });
      // The client prints the content alone, or null where there is none, and throws where the status is no success.
      const [, content = "", got = status] = /^\s*(\{.*?\}|null)?\s*(\d{3})?\s*$/s.exec(stdout) ?? [];
      expect(got).toBe(status);
      if (status === "204") expect(content).toBe(language === "curl" ? "" : "null");
      else expect(JSON.parse(content)).toMatchObject({ status: true, data: expect.any(Object) });
    },
  );
});

describe("the samples of the client", () => {
  const texts = samplesIn("TypeScript").map(({ text }) => text);

  it("compile", () => {
    expect(texts.length).toBeGreaterThan(0);
    expect(snippetErrors(...texts)).toEqual([]);
  });

  it("import it by the name that it is published under", () => {
    for (const text of texts) expect(text).toContain(` from "${packageJson.name}/client";\n`);
  });
});
