import { documentCases } from "./document-cases.ts";
import { keywordCases } from "./keyword-cases.ts";
import { newerCases } from "./newer-cases.ts";
import type { Row } from "./notation.ts";
import { operationCases } from "./operation-cases.ts";
import { schemaCases } from "./schema-cases.ts";
import { textCases } from "./text-cases.ts";
import { urlCases } from "./url-cases.ts";

export const cases: readonly Row[] = [
  ...schemaCases,
  ...keywordCases,
  ...operationCases,
  ...documentCases,
  ...newerCases,
  ...textCases,
  ...urlCases,
];
