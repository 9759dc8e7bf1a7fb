/** Drafts of requests for an operation: its examples, valid ones, and ones with a single invalid value. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type Json, pointerTo } from "../openapi/document.ts";
import { readBody, writeBody } from "./bodies.ts";
import type { Constraint, Omission } from "./constraints.ts";
import { evaluate, isAlone, isValid } from "./evaluate.ts";
import { readParameter } from "./exchange-check.ts";
import { bodyKindOf } from "./media-types.ts";
import type { ContentModel, OperationModel, ParameterModel } from "./operation-model.ts";
import { type Credential, canBeSent, type Draft, type SentParameters, writeRequest } from "./requests.ts";
import type { SchemaNode } from "./schema-node.ts";
import type { NamedPlace, ServiceUnderTest, SuiteOptions } from "./service-under-test.ts";
import { valuesFor, valuesOf } from "./values.ts";

type RequestPart =
  | { readonly kind: "parameter"; readonly model: ParameterModel }
  | { readonly kind: "content"; readonly model: ContentModel };

interface PlacedDraft {
  readonly draft: Draft;
  readonly place: NamedPlace;
}

/** How many values are sampled to find out whether valid ones can be made. */
const probes = 40;

const noValue = "no value was found that its schema admits, if it admits any";

export function partsOf({ parameters, body }: OperationModel): RequestPart[] {
  return [
    ...parameters.map((model) => ({ kind: "parameter", model }) as const),
    ...(body?.contents ?? []).map((model) => ({ kind: "content", model }) as const),
  ];
}

function labelOf({ kind, model }: RequestPart): string {
  if (kind === "parameter") return `${model.in} /${model.name}`;
  return bodyKindOf(model.mediaType) === "json" ? "body" : `body (${model.mediaType})`;
}

export function placeOf(part: RequestPart, { place }: Constraint): string {
  const isBelowContent = part.kind === "content" && place !== "";
  return `${labelOf(part)}${isBelowContent ? " " : ""}${place}`;
}

/** The drafts of one operation. Drafts that cannot be made are undefined or missing. */
export class OperationDrafts {
  readonly #service: ServiceUnderTest;
  readonly #operation: OperationModel;
  readonly #options: SuiteOptions;
  #base: { readonly draft: Draft | undefined } | undefined;
  #valid: { readonly drafts: fc.Arbitrary<Draft> | undefined } | undefined;

  constructor(service: ServiceUnderTest, operation: OperationModel, options: SuiteOptions) {
    this.#service = service;
    this.#operation = operation;
    this.#options = options;
  }

  omissions(): Omission[] {
    const omissions = [...this.#operation.omissions];
    const isMade = this.base() !== undefined;
    if (!isMade)
      omissions.push({ place: "request", why: "no valid one can be made: only its examples are sent" });
    for (const part of partsOf(this.#operation))
      if (!this.#hasValues(part)) omissions.push({ place: labelOf(part), why: noValue });
      else if (isMade) omissions.push(...this.#unmade(part));
    return omissions;
  }

  /** The constraints without a draft. If a place has no value, the places below it are not listed. */
  #unmade(part: RequestPart): Omission[] {
    const omissions: Omission[] = [];
    const valueless: string[] = [];
    for (const constraint of part.model.constraints) {
      const { place, verdict, node } = constraint;
      const isWithin = valueless.some((each) => place === each || place.startsWith(`${each}/`));
      if (isWithin || this.draftsFor(part, constraint).length > 0) continue;
      const hasNone = verdict === "valid" && this.#validValues(node) === undefined;
      if (hasNone) valueless.push(place);
      const why = hasNone ? noValue : `\`${verdict}\`: no request was found that differs in this alone`;
      omissions.push({ place: placeOf(part, constraint), why });
    }
    return omissions;
  }

  #validValues(node: SchemaNode): fc.Arbitrary<Json> | undefined {
    return holding(valuesOf(node), this.#options.seed, (value) => isValid(node, value));
  }

  #hasValues(part: RequestPart): boolean {
    const values = part.kind === "content" ? this.#contentArbitrary(part.model) : this.#valuesOf(part.model);
    return values !== undefined;
  }

  examples(): Draft[] {
    const { body, parameters } = this.#operation;
    const found = (body?.contents ?? []).flatMap((content) =>
      [...content.examples.values()].map((value) => ({ body: writeBody(content, value), value })),
    );
    const most = Math.max(1, ...parameters.map(({ examples }) => examples.length));
    const all = found.length > 0 || body?.required ? found : [{ body: undefined }];
    return all.flatMap((content) =>
      Array.from({ length: most }, (_, index) => index).flatMap((index) => {
        const values = this.#parameterValues(
          (parameter) =>
            parameter.examples[index % Math.max(1, parameter.examples.length)] ?? this.#known(parameter),
        );
        return values === undefined
          ? []
          : [{ ...content, parameters: values, credentials: this.credentials() }];
      }),
    );
  }

  /** Credentials for the first alternative that the service has all credentials for. */
  credentials(): Credential[] {
    const { security } = this.#operation;
    const made = security.map((alternative) => this.credentialsOf(alternative));
    return made.find(({ length }, index) => length === security[index]?.length) ?? [];
  }

  credentialsOf(alternative: OperationModel["security"][number]): Credential[] {
    return alternative.flatMap((requirement) => {
      const { valid = [] } = this.#service.credentials[requirement.scheme] ?? {};
      const found = valid.find(({ roles }) => requirement.roles.every((role) => roles.includes(role)));
      return found === undefined ? [] : [{ requirement, text: found.text }];
    });
  }

  /** A value that the service knows. */
  #known({ in: place, name }: ParameterModel): Json | undefined {
    return this.#service.known?.[this.#operation.id]?.[`${place} /${name}`];
  }

  #parameterValues(valueFor: (parameter: ParameterModel) => Json | undefined): SentParameters | undefined {
    const all = this.#operation.parameters.map((parameter) => ({ parameter, value: valueFor(parameter) }));
    const isComplete = all.every(({ parameter, value }) => value !== undefined || !parameter.required);
    return isComplete ? valuesByPlace(all) : undefined;
  }

  /** A valid request, on which the invalid ones are based. */
  base(): Draft | undefined {
    if (this.#base !== undefined) return this.#base.draft;
    const drafts = this.valid();
    const found =
      drafts === undefined ? undefined : fc.sample(drafts, { seed: this.#options.seed, numRuns: 1 })[0];
    const parameters =
      found &&
      this.#parameterValues((parameter) => {
        const { in: place, name } = parameter;
        return this.#known(parameter) ?? found.parameters[place]?.[name];
      });
    this.#base = { draft: found && parameters && { ...found, parameters } };
    return this.#base.draft;
  }

  valid(): fc.Arbitrary<Draft> | undefined {
    this.#valid ??= { drafts: this.#validDrafts() };
    return this.#valid.drafts;
  }

  #validDrafts(): fc.Arbitrary<Draft> | undefined {
    const { parameters, body } = this.#operation;
    const values = this.#parameterArbitrary(parameters);
    const bodies = (body?.contents ?? []).flatMap(
      (content): fc.Arbitrary<Pick<Draft, "body" | "value">>[] => {
        const valid = this.#contentArbitrary(content);
        return valid === undefined
          ? []
          : [valid.map((value) => ({ body: writeBody(content, value), value }))];
      },
    );
    if (values === undefined || (body?.required && bodies.length === 0)) return undefined;
    if (!body?.required) bodies.push(fc.constant({ body: undefined }));
    const credentials = this.credentials();
    return fc
      .tuple(values, fc.oneof(...bodies))
      .map(([own, written]) => ({ ...written, parameters: own, credentials }));
  }

  #contentArbitrary(content: ContentModel): fc.Arbitrary<Json> | undefined {
    const { node } = content;
    const values = valuesOf(node)?.map((value) => this.#settled(value));
    return holding(values, this.#options.seed, (value) => {
      const read = isValid(node, value) ? readBack(content, value) : undefined;
      return read !== undefined && isValid(node, read);
    });
  }

  #settled(value: Json): Json {
    return this.#service.settle?.[this.#operation.id]?.(value) ?? value;
  }

  /** Only values that can be written so that they are read back. */
  #valuesOf(parameter: ParameterModel): fc.Arbitrary<Json> | undefined {
    const { node } = parameter;
    return holding(
      valuesOf(node),
      this.#options.seed,
      (value) => isValid(node, value) && isDeepStrictEqual(this.#readBack(parameter, value), value),
    );
  }

  #parameterArbitrary(parameters: readonly ParameterModel[]): fc.Arbitrary<SentParameters> | undefined {
    const made: fc.Arbitrary<GivenParameter>[] = [];
    for (const parameter of parameters) {
      const valid = this.#valuesOf(parameter);
      const known = this.#known(parameter);
      const choices = [
        ...(valid === undefined ? [] : [valid]),
        ...(known === undefined ? [] : [fc.constant(known)]),
        ...(parameter.required ? [] : [fc.constant(undefined)]),
      ];
      if (choices.length === 0) return undefined;
      made.push(fc.oneof(...choices).map((value) => ({ parameter, value })));
    }
    return fc.tuple(...made).map(valuesByPlace);
  }

  /** What a server reads if this parameter is written. */
  #readBack(parameter: ParameterModel, value: Json): Json | undefined {
    const { in: place, name } = parameter;
    const inPath = this.#operation.parameters.filter((each) => each.in === "path");
    const path = Object.fromEntries(inPath.map((each) => [each.name, "1"]));
    const parameters = { path, [place]: { ...(place === "path" && path), [name]: value } };
    const request = writeRequest(this.#operation, { parameters, body: undefined, credentials: [] });
    const read = canBeSent(request) ? readParameter(this.#operation, request, parameter) : undefined;
    return read !== undefined && "value" in read ? read.value : undefined;
  }

  /** Requests with the verdict of the constraint at its place, and valid everywhere else. */
  draftsFor(part: RequestPart, constraint: Constraint): PlacedDraft[] {
    const base = this.base();
    if (base === undefined) return [];
    if (part.kind === "parameter") return this.#parameterDrafts(base, part.model, constraint);
    const { node } = part.model;
    const { seed, requestsEach: count } = this.#options;
    const settle = (value: Json) => this.#settled(value);
    return valuesFor(node, constraint, { seed, count: countToTry(part, count), settle })
      .filter(({ value }) => {
        const read = readBack(part.model, value);
        return read !== undefined && isAlone(evaluate(node, read), constraint);
      })
      .slice(0, count)
      .map(({ value, pointer }) => ({
        draft: { ...base, body: writeBody(part.model, value), value },
        place: { in: "body", pointer },
      }));
  }

  #parameterDrafts(base: Draft, parameter: ParameterModel, constraint: Constraint): PlacedDraft[] {
    const { seed, requestsEach: count } = this.#options;
    const { in: place, name } = parameter;
    const root = pointerTo("", name);
    const { [name]: _, ...others } = base.parameters[place] ?? {};
    const made = (values: { readonly [name: string]: Json }, pointer: string): PlacedDraft => ({
      draft: { ...base, parameters: { ...base.parameters, [place]: values } },
      place: { in: place, pointer: root + pointer },
    });
    const isMissing = constraint.verdict === "required" || constraint.verdict === "absent";
    if (constraint.steps.length === 0 && isMissing) return place === "path" ? [] : [made(others, "")];
    return valuesFor(parameter.node, constraint, { seed, count: count * 4 })
      .filter(({ value }) => {
        const read = this.#readBack(parameter, value);
        return read !== undefined && isAlone(evaluate(parameter.node, read), constraint);
      })
      .slice(0, count)
      .map(({ value, pointer }) => made({ ...others, [name]: value }, pointer));
  }
}

/** Text and forms cannot express every value, so more are tried. */
function countToTry({ kind, model }: RequestPart, count: number): number {
  return kind === "content" && bodyKindOf(model.mediaType) === "json" ? count : count * 4;
}

/** What a server reads if this body is written. */
function readBack(content: ContentModel, value: Json): Json | undefined {
  if (bodyKindOf(content.mediaType) === "json") return value;
  const written = writeBody(content, value);
  const isEmpty = written.content.byteLength === 0 && bodyKindOf(content.mediaType) !== "form";
  const read = isEmpty ? undefined : readBody(content, written.mediaType, written.content);
  return read !== undefined && "value" in read ? read.value : undefined;
}

interface GivenParameter {
  readonly parameter: ParameterModel;
  /** Undefined if it is left out. */
  readonly value: Json | undefined;
}

function valuesByPlace(all: readonly GivenParameter[]): SentParameters {
  const values: { [place: string]: { [name: string]: Json } } = {};
  for (const { parameter, value } of all) {
    const { in: place, name } = parameter;
    if (value !== undefined) values[place] = { ...values[place], [name]: value };
  }
  return values;
}

/** The arbitrary with a filter; undefined if hardly any value passes. */
function holding(
  values: fc.Arbitrary<Json> | undefined,
  seed: number,
  holds: (value: Json) => boolean,
): fc.Arbitrary<Json> | undefined {
  if (values === undefined) return undefined;
  const passing = fc.sample(values, { seed, numRuns: probes }).filter(holds);
  return passing.length * 10 < probes ? undefined : values.filter(holds);
}
