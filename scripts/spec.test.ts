import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const spec = fileURLToPath(new URL("../spec/openapi.yaml", import.meta.url));
const config = fileURLToPath(new URL("../spec/redocly.yaml", import.meta.url));

type Media = { content: { "application/json": { examples: object } } };

describe("the spec", () => {
  it("scores 90 or more, and never lets Redocly speak to a network", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, "score", spec, "--config", config, "--format", "json"],
      { env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    expect(JSON.parse(stdout).agentReadiness).toBeGreaterThanOrEqual(90);
  });

  it("shows at least two examples of every request and response", () => {
    const components: Record<string, object> = document.components.responses;
    const found = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => [
        [`${operation.operationId} content`, operation.requestBody as Media] as const,
        ...Object.entries(operation.responses as Record<string, { $ref?: string }>).map(
          ([status, response]) =>
            [
              `${operation.operationId} ${status}`,
              (response.$ref ? components[response.$ref.split("/").at(-1) ?? ""] : response) as Media,
            ] as const,
        ),
      ]),
    );
    expect(found.length).toBeGreaterThan(25);
    const few = found.filter(
      ([, { content }]) => Object.keys(content["application/json"].examples).length < 2,
    );
    expect(few.map(([place]) => place)).toEqual([]);
  });
});
