/** Corrects the mistakes of a document that have only one correction. */
import { generate } from "../generate/pipeline.ts";
import { formatMeantBy } from "../json-schema/formats.ts";
import { entriesOf, isObject, pointerTo, valueAt } from "../openapi/document.ts";
import { type SpecFile, SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { visitKinds } from "../openapi/grammar.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { readWaivers } from "../openapi/waivers.ts";
import { applied, diffOf, type Edit, EditableText } from "./edits.ts";

interface FixedFile {
  readonly path: string;
  readonly text: string;
  readonly diff: string;
}

/** @param taken the operationIds that other fixes of the run have chosen */
type Fix = (text: EditableText, file: SpecFile, pointer: string, taken: Set<string>) => Edit[];

/** If edits overlap, only the first one is made. So a rule that removes parts is first. */
const fixes: { readonly [rule: string]: Fix } = {
  "path-parameters-defined": (text, _, pointer) => {
    const [, parameter] = /^(\/paths\/.*\/parameters\/\d+)\/name$/.exec(pointer) ?? [];
    return parameter === undefined ? [] : text.remove(parameter);
  },
  "unknown-format": (text, file, pointer) => {
    const format = valueAt(file.value, pointer);
    const meant = typeof format === "string" ? formatMeantBy(format) : undefined;
    return meant === undefined ? [] : text.replaceValue(pointer, (old) => old.replace(String(format), meant));
  },
  nullable: (text, file, pointer) => {
    const schema = valueAt(file.value, pointer.replace(/\/nullable$/, ""));
    if (!isObject(schema)) return [];
    if (schema.nullable === false) return text.remove(pointer);
    if (typeof schema.type !== "string" || schema.enum !== undefined || schema.const !== undefined) return [];
    const type = text.replaceValue(pointer.replace(/nullable$/, "type"), (old) => `[${old}, "null"]`);
    return type.length === 0 ? [] : [...type, ...text.remove(pointer)];
  },
  // The pointer ends with the name instead of `operationId`.
  "operation-operationId-unique": (text, file, pointer, taken) => {
    const place = pointer.replace(/\/[^/]*$/, "/operationId");
    const id = String(valueAt(file.value, place));
    let number = 2;
    while (taken.has(`${id}${number}`) || file.source.body.includes(`${id}${number}`)) number += 1;
    taken.add(`${id}${number}`);
    return text.replaceValue(place, (old) => old.replace(id, () => `${id}${number}`));
  },
};

/** @throws SpecProblemsError if the waivers cannot be read. A document that cannot be read has no fix */
export async function fixesOf(
  spec: string,
  waivers: string | undefined,
  allowOutside: readonly string[],
): Promise<FixedFile[]> {
  const files = new SpecFiles(allowOutside);
  const findings = new Findings({ lenient: true, waivers: await readWaivers(spec, waivers, files) });
  await generate(spec, findings, files).catch((error: unknown) => {
    if (!(error instanceof SpecProblemsError)) throw error;
  });
  const taken = new Set<string>();
  return [...files.all].flatMap((file) => {
    if (file.syntaxProblems !== undefined) return [];
    const { body } = file.source;
    const text = new EditableText(body);
    const found = Object.entries(fixes).flatMap(([rule, fix]) =>
      findings.placesOf(rule, file).flatMap((pointer) => fix(text, file, pointer, taken)),
    );
    const edits = disjoint([...found, ...missingTypes(text, file)]);
    if (edits.length === 0) return [];
    return [{ path: file.path, text: applied(body, edits), diff: diffOf(body, edits, file.shownPath) }];
  });
}

/** An object in which another meaning than an object is possible is not changed. */
const meanings = ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if"];

function missingTypes(text: EditableText, file: SpecFile): Edit[] {
  const edits: Edit[] = [];
  visitKinds("document", file.value, (kind, schema, pointer) => {
    const isCondition = /\/(?:not|if|then|else|dependentSchemas)(?:\/|$)/.test(pointer);
    if (kind !== "schema" || isCondition || meanings.some((keyword) => keyword in schema)) return;
    if (entriesOf(schema.properties).length > 0)
      edits.push(...text.insertBefore(pointerTo(pointer, "properties"), "type", "object"));
  });
  return edits;
}

function disjoint(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits)
    if (!kept.some(({ start, end }) => edit.start < end && start < edit.end)) kept.push(edit);
  return kept;
}
