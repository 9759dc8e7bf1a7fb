import { documentCases } from "./document-cases.ts";
import { meaningCases } from "./meaning-cases.ts";
import type { Case } from "./notation.ts";
import { operationCases } from "./operation-cases.ts";
import { schemaCases } from "./schema-cases.ts";

export const cases: readonly Case[] = [...schemaCases, ...operationCases, ...documentCases, ...meaningCases];
