import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { placeOf, specMessages } from "../server/testing/spec.ts";

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const spec = fileURLToPath(new URL("../spec/openapi.yaml", import.meta.url));
const config = fileURLToPath(new URL("../spec/redocly.yaml", import.meta.url));

/** Every place that is marked, and how; in documentation order. */
function marksIn(value: unknown, place = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  const own: [string, unknown][] = "x-sensitive" in value ? [[place, value["x-sensitive"]]] : [];
  return own.concat(Object.entries(value).flatMap(([key, item]) => marksIn(item, `${place}/${key}`)));
}

describe("the sensitive places of the spec", () => {
  it("are these: a mark that is taken away is missed here, and a new one is told", () => {
    expect(marksIn(document)).toEqual([
      ["/components/schemas/Credentials/properties/dial_code", false],
      ["/components/schemas/Credentials/properties/password", true],
      ["/components/schemas/Credentials/properties/token", true],
      ["/components/schemas/SessionKeys", true],
      ["/components/schemas/SessionKeys/properties/auth_key", true],
      ["/components/schemas/SessionKeys/properties/refresh_key", true],
      ["/components/schemas/ErrorCode", false],
    ]);
  });

  it("are by name in the contract, and with them the credential of each security scheme", () => {
    expect(contract.sensitive).toEqual([
      "Authorization",
      "auth_key",
      "key",
      "password",
      "refresh_key",
      "token",
    ]);
  });
});

describe("the spec", () => {
  it("scores 90 or more; where it does not, the operations that cost most are named", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, "score", spec, "--config", config, "--format", "json"],
      { env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    const { agentReadiness, hotspots } = JSON.parse(stdout);
    expect(agentReadiness, JSON.stringify(hotspots)).toBeGreaterThanOrEqual(90);
  });

  it("shows at least two examples of every request and response", () => {
    expect(specMessages.length).toBeGreaterThan(30);
    expect(specMessages.filter(({ examples }) => examples.size < 2).map(placeOf)).toEqual([]);
  });
});
