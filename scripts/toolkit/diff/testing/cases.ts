import { documentCases } from "./document-cases.ts";
import type { Row } from "./notation.ts";
import { operationCases } from "./operation-cases.ts";
import { schemaCases } from "./schema-cases.ts";

export const cases: readonly Row[] = [...schemaCases, ...operationCases, ...documentCases];
