import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { placeOf, specMessages } from "../server/testing/spec.ts";

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const spec = fileURLToPath(new URL("../spec/openapi.yaml", import.meta.url));
const config = fileURLToPath(new URL("../spec/redocly.yaml", import.meta.url));

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
