import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { Findings } from "./findings.ts";
import { loadSpec } from "./load.ts";

const file = join(temporaryFolder(), "books.yaml");

it.each([
  ["pst", "put"],
  ["Get", "get"],
  ["fetch", undefined],
])("an operation whose method is %s cannot be ignored", async (method, nearest) => {
  await writeFile(
    file,
    `openapi: 3.1.1
info: { title: Books, version: 1.0.0 }
paths: { /books: { ${method}: { responses: { "200": { description: Books. } } }, colour: {} } }
`,
  );
  const place = { path: undefined, pointer: "", place: { file: {} as never, pointer: "" } };
  const findings = new Findings({ lenient: true, waivers: [{ rule: "struct", ...place }] });
  await loadSpec(file, findings);
  const fix = nearest ? `Did you mean \`${nearest}\`?` : "Remove it, or correct its name or its place.";
  const message = `\`${method}\` has no meaning here. ${fix} The methods are get, put, post, delete, options, head, patch, trace, query.`;
  const problems = { problems: [{ location: expect.stringMatching(/books\.yaml:3:20$/), message }] };
  expect(() => findings.stopIfAny()).toThrow(expect.objectContaining(problems));
});

it("a `defaultMapping` of OpenAPI 3.2 refers to a component, and stays in 3.1 as an extension", async () => {
  await writeFile(join(dirname(file), "other.yaml"), "Other: { type: object }\n");
  await writeFile(
    file,
    `openapi: 3.2.0
info: { title: Books, version: 1.0.0 }
paths: {}
components:
  schemas:
    Named: { anyOf: [{ $ref: "#/components/schemas/Novel" }], discriminator: { propertyName: kind, defaultMapping: Novel } }
    Referred: { anyOf: [{ $ref: "other.yaml#/Other" }], discriminator: { propertyName: kind, defaultMapping: "other.yaml#/Other" } }
    Novel: { type: object }
`,
  );
  const findings = new Findings();
  const { document } = await loadSpec(file, findings);
  expect(findings.settle()).toEqual([]);
  expect(findings.notes()).toEqual([]);
  const mapped = (target: string) => ({
    anyOf: [{ $ref: `#/components/schemas/${target}` }],
    discriminator: { propertyName: "kind", "x-defaultMapping": `#/components/schemas/${target}` },
  });
  expect(document).toMatchObject({
    openapi: "3.1.1",
    components: { schemas: { Named: mapped("Novel"), Referred: mapped("Other"), Other: { type: "object" } } },
  });
});

it("security schemes of OpenAPI 3.2 may be named by URLs of the document", async () => {
  await writeFile(
    file,
    `openapi: 3.2.0
$self: https://shelf.test/openapi.yaml
info: { title: Books, version: 1.0.0 }
paths: {}
security:
  - { "#/components/securitySchemes/key": [], "https://shelf.test/openapi.yaml#/components/securitySchemes/login": [read] }
  - { "other.yaml#/key": [] }
components:
  securitySchemes:
    key: { type: http, scheme: basic }
    login: { type: http, scheme: bearer }
`,
  );
  const { document } = await loadSpec(file);
  expect(document.security).toEqual([{ key: [], login: ["read"] }, { "other.yaml#/key": [] }]);
});
