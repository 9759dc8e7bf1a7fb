import type { Kind } from "../grammar.ts";
import { type Requirement, self } from "./requirement.ts";

function exclusive(
  kinds: readonly Kind[],
  one: string,
  other: string,
  where: Pick<Requirement, "paths" | "only"> = {},
): Requirement {
  return {
    kinds,
    ...where,
    message: `\`${one}\` and \`${other}\` exclude each other; keep one of them`,
    wrong: self((object) => object[one] !== undefined && object[other] !== undefined),
  };
}

export const exclusiveFields: readonly Requirement[] = [
  exclusive(["parameter", "header"], "schema", "content"),
  exclusive(["parameter", "header", "mediaType"], "example", "examples"),
  exclusive(["example"], "value", "externalValue"),
  exclusive(["example"], "value", "dataValue", { only: ["3.2"] }),
  exclusive(["example"], "value", "serializedValue", { only: ["3.2"] }),
  exclusive(["example"], "serializedValue", "externalValue", { only: ["3.2"] }),
  exclusive(["link"], "operationId", "operationRef"),
  exclusive(["document"], "identifier", "url", { paths: ["info/license"] }),
  exclusive(["schema"], "nodeType", "attribute", { paths: ["xml"], only: ["3.2"] }),
  exclusive(["schema"], "nodeType", "wrapped", { paths: ["xml"], only: ["3.2"] }),
  {
    kinds: ["schema"],
    only: ["3.0"],
    message:
      "no request and no response could have a value with `readOnly` and `writeOnly`; keep one of them",
    wrong: self(({ readOnly, writeOnly }) => readOnly === true && writeOnly === true),
  },
];
