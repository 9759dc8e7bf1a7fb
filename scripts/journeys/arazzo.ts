/**
 * Reads journeys from an Arazzo document (1.0.1): workflows of one operation after another. Whatever of Arazzo a run would
 * pass over is refused, so that a journey means here what it means to any other runner.
 */
import { resolve } from "node:path";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  pointerTo,
  schemaKeyword,
  valueAt,
} from "../generate/document.ts";
import { locationOf, type SpecFile, SpecFiles, shownPathOf, UnreadableFileError } from "../generate/files.ts";
import { lintSpec } from "../generate/lint.ts";
import { type SpecProblem, SpecProblemsError } from "../generate/problems.ts";
import {
  type Condition,
  type Expression,
  expressionsOf,
  expressionTexts,
  parseCondition,
  parseExpression,
} from "./expressions.ts";

export interface Journey {
  readonly id: string;
  readonly summary: string;
  readonly inputs: ReadonlyMap<string, Input>;
  readonly steps: readonly Step[];
}

export interface Input {
  readonly isRequired: boolean;
  /** JSON Schema's, where the document names one. */
  readonly type: string | undefined;
}

export interface Step {
  readonly id: string;
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly content: { readonly mediaType: string; readonly payload: Json } | undefined;
  readonly criteria: readonly { readonly text: string; readonly condition: Condition }[];
  readonly outputs: ReadonlyMap<string, Expression>;
}

const placesOfParameters = ["path", "query", "header", "cookie"] as const;

export interface Parameter {
  readonly in: (typeof placesOfParameters)[number];
  readonly name: string;
  /** With expressions in it. */
  readonly value: Json;
}

const lintConfig = "spec/redocly.yaml";
/** The fields that a run obeys, or that say nothing to it. */
const fields = {
  workflow: ["workflowId", "summary", "description", "inputs", "steps"],
  step: ["stepId", "description", "operationId", "parameters", "requestBody", "successCriteria", "outputs"],
  parameter: ["in", "name", "value"],
  requestBody: ["contentType", "payload"],
  criterion: ["condition"],
};

/**
 * @param path of the Arazzo document
 * @param operationIds those that steps may name
 * @throws SpecProblemsError with every fault and its place
 */
export async function readJourneys(path: string, operationIds: readonly string[]): Promise<Journey[]> {
  const file = await readArazzo(path);
  // What is no Arazzo, or breaks a rule of the house, is told by the linter, so that here all is of its type.
  const broken = await lintSpec(path, lintConfig);
  if (broken.length > 0) throw new SpecProblemsError(broken);
  const problems: SpecProblem[] = [];
  const report = (pointer: string, message: string): void => {
    problems.push({ location: locationOf({ file, pointer }), message });
  };
  const journeys = placesIn(file.value, "/workflows").map((place) =>
    journeyAt(file.value, place, operationIds, report),
  );
  if (problems.length > 0) throw new SpecProblemsError(problems);
  return journeys;
}

async function readArazzo(path: string): Promise<SpecFile> {
  const refuse = (location: string, message: string): never => {
    throw new SpecProblemsError([{ location, message }]);
  };
  try {
    const file = await new SpecFiles().read(resolve(path));
    const isArazzo = isObject(file.value) && typeof file.value.arazzo === "string";
    return isArazzo
      ? file
      : refuse(locationOf({ file, pointer: "" }), "not an Arazzo document; begin with `arazzo: 1.0.1`");
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return refuse(shownPathOf(resolve(path)), `${error.message}; name an Arazzo document`);
  }
}

type Report = (pointer: string, message: string) => void;

function journeyAt(document: Json, place: string, operationIds: readonly string[], report: Report): Journey {
  refuseOthers(document, place, fields.workflow, report);
  const inputs = inputsAt(document, `${place}/inputs`);
  const known: Known = { inputs, outputs: new Map() };
  const steps = placesIn(document, `${place}/steps`).map((at) => {
    const step = stepAt(document, at, { operationIds, known, report });
    // A step may speak of those before it.
    known.outputs.set(step.id, step.outputs);
    return step;
  });
  return {
    id: textAt(document, `${place}/workflowId`),
    summary: textAt(document, `${place}/summary`),
    inputs,
    steps,
  };
}

function inputsAt(document: Json, place: string): ReadonlyMap<string, Input> {
  const { value: schema, pointer } = follow(document, place);
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  const properties = valueAt(document, `${pointer}/properties`);
  return new Map(
    entriesOf(properties).map(([name, property]) => {
      const type = schemaKeyword(document, property, "type");
      return [
        name,
        { isRequired: required.includes(name), type: typeof type === "string" ? type : undefined },
      ];
    }),
  );
}

/** What expressions may speak of. */
interface Known {
  readonly inputs: ReadonlyMap<string, Input>;
  readonly outputs: Map<string, ReadonlyMap<string, Expression>>;
}

interface Reading {
  readonly operationIds: readonly string[];
  readonly known: Known;
  readonly report: Report;
}

function stepAt(document: Json, place: string, { operationIds, known, report }: Reading): Step {
  refuseOthers(document, place, fields.step, report);
  const operationId = textAt(document, `${place}/operationId`);
  if (!operationIds.includes(operationId))
    report(
      `${place}/operationId`,
      operationId === ""
        ? "name the operation by its `operationId`"
        : `no operation is called ${operationId}; correct the name`,
    );
  const check = (expression: Expression, pointer: string): void => {
    const fault = unknownIn(known, expression);
    if (fault !== undefined) report(pointer, fault);
  };
  const checkTexts = (value: Json, pointer: string): void => {
    for (const found of expressionTexts(value)) {
      const expression = parseExpression(found.text);
      if (expression === undefined) report(pointer + found.pointer, notUnderstood(found.text));
      else check(expression, pointer + found.pointer);
    }
  };
  const parameters = placesIn(document, `${place}/parameters`).map((at) => {
    refuseOthers(document, at, fields.parameter, report);
    const value = valueAt(document, `${at}/value`) ?? null;
    checkTexts(value, `${at}/value`);
    const within = placesOfParameters.find((each) => each === textAt(document, `${at}/in`));
    if (within === undefined) report(at, `say by \`in\` where it stands: ${placesOfParameters.join(", ")}`);
    return { in: within ?? "query", name: textAt(document, `${at}/name`), value };
  });
  const body = valueAt(document, `${place}/requestBody`);
  refuseOthers(document, `${place}/requestBody`, fields.requestBody, report);
  if (isObject(body)) checkTexts(body.payload ?? null, `${place}/requestBody/payload`);
  const criteria = placesIn(document, `${place}/successCriteria`).flatMap((at) => {
    refuseOthers(document, at, fields.criterion, report);
    const text = textAt(document, `${at}/condition`);
    const condition = parseCondition(text);
    if (condition === undefined) {
      report(`${at}/condition`, `${notUnderstood(text)}, such as \`$statusCode == 200\``);
      return [];
    }
    for (const expression of expressionsOf(condition)) check(expression, `${at}/condition`);
    return [{ text, condition }];
  });
  if (valueAt(document, `${place}/successCriteria`) === undefined)
    report(place, "say by `successCriteria` what the answer must be");
  const outputs = entriesOf(valueAt(document, `${place}/outputs`)).flatMap(([name, text]) => {
    const expression = parseExpression(String(text));
    if (expression === undefined) report(pointerTo(`${place}/outputs`, name), notUnderstood(String(text)));
    return expression === undefined ? [] : [[name, expression] as const];
  });
  return {
    id: textAt(document, `${place}/stepId`),
    operationId,
    parameters,
    content: isObject(body)
      ? { mediaType: textAt(document, `${place}/requestBody/contentType`), payload: body.payload ?? null }
      : undefined,
    criteria,
    outputs: new Map(outputs),
  };
}

function notUnderstood(text: string): string {
  return `${text} is not understood; write an expression or a condition of Arazzo that this command knows`;
}

function unknownIn({ inputs, outputs }: Known, expression: Expression): string | undefined {
  if (expression.of === "input" && !inputs.has(expression.name))
    return `the workflow has no input ${expression.name}; declare it under \`inputs\``;
  if (expression.of === "output" && !outputs.get(expression.step)?.has(expression.name))
    return `no step before this one is ${expression.step} with the output ${expression.name}; correct the name`;
  return undefined;
}

function refuseOthers(document: Json, place: string, names: readonly string[], report: Report): void {
  for (const [name] of entriesOf(valueAt(document, place)))
    if (!names.includes(name))
      report(
        pointerTo(place, name),
        `this command does not run \`${name}\`, and would pass over it; take it out, or write steps of operations alone`,
      );
}

/** The pointers of a list's items. */
function placesIn(document: Json, place: string): string[] {
  const list = valueAt(document, place);
  return Array.isArray(list) ? list.map((_, index) => pointerTo(place, index)) : [];
}

/** Empty where there is no text. */
function textAt(document: Json, place: string): string {
  const value = valueAt(document, place);
  return typeof value === "string" ? value : "";
}
