/** Drafts of requests for an operation: its examples, valid ones, and ones with a single fault. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { OperationContract } from "../../generated/contract.ts";
import { type Json, pointerTo } from "../openapi/document.ts";
import type { Constraint, Omission } from "./constraints.ts";
import { evaluate, isAlone, isValid } from "./evaluate.ts";
import type { ContentModel, OperationModel, ParameterModel } from "./operation-model.ts";
import {
  type Credential,
  type Draft,
  hasPlainHeaders,
  jsonBytes,
  noContent,
  readBack,
  type SentParameters,
  writeRequest,
} from "./requests.ts";
import type { SchemaNode } from "./schema-node.ts";
import type { NamedPlace, ServiceUnderTest, SuiteOptions } from "./service-under-test.ts";
import { valuesFor, valuesOf } from "./values.ts";

type RequestPart =
  | { readonly kind: "parameter"; readonly model: ParameterModel }
  | { readonly kind: "content"; readonly model: ContentModel };

interface FaultyDraft {
  readonly draft: Draft;
  readonly place: NamedPlace;
}

/** How many values are sampled to find out whether valid ones can be made. */
const probes = 40;

const noValue = "no value was found that its schema admits, if it admits any";

export function partsOf({ parameters, contents }: OperationModel): RequestPart[] {
  return [
    ...parameters.map((model) => ({ kind: "parameter", model }) as const),
    ...contents.map((model) => ({ kind: "content", model }) as const),
  ];
}

function labelOf(part: RequestPart): string {
  return part.kind === "content" ? "body" : `${part.model.contract.in} /${part.model.contract.name}`;
}

export function placeOf(part: RequestPart, { place }: Constraint): string {
  const isBelowContent = part.kind === "content" && place !== "";
  return `${labelOf(part)}${isBelowContent ? " " : ""}${place}`;
}

/** The drafts of one operation. Drafts that cannot be made are undefined or missing. */
export class OperationDrafts {
  readonly #service: ServiceUnderTest;
  readonly #operation: OperationModel;
  readonly #contract: OperationContract;
  readonly #options: SuiteOptions;
  #base: { readonly draft: Draft | undefined } | undefined;
  #valid: { readonly drafts: fc.Arbitrary<Draft> | undefined } | undefined;

  constructor(service: ServiceUnderTest, operation: OperationModel, options: SuiteOptions) {
    this.#service = service;
    this.#operation = operation;
    this.#contract = operation.contract;
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
      const hasNone = verdict === "valid" && this.#soundValues(node) === undefined;
      if (hasNone) valueless.push(place);
      const why = hasNone ? noValue : `\`${verdict}\`: no request was found that differs in this alone`;
      omissions.push({ place: placeOf(part, constraint), why });
    }
    return omissions;
  }

  #soundValues(node: SchemaNode): fc.Arbitrary<Json> | undefined {
    return holding(valuesOf(node), this.#options.seed, (value) => isValid(node, value));
  }

  #hasValues(part: RequestPart): boolean {
    const values = part.kind === "content" ? this.#contentArbitrary(part.model) : this.#valuesOf(part.model);
    return values !== undefined;
  }

  examples(): Draft[] {
    const { contents, parameters } = this.#operation;
    const found = contents.flatMap(({ mediaType, examples }) =>
      [...examples.values()].map((value) => ({ mediaType, content: jsonBytes(value) })),
    );
    const most = Math.max(1, ...parameters.map(({ examples }) => examples.length));
    const all = found.length > 0 || this.#contract.content?.required ? found : [{ content: noContent }];
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
    const { security } = this.#contract;
    const made = security.map((alternative) => this.credentialsOf(alternative));
    return made.find(({ length }, index) => length === security[index]?.length) ?? [];
  }

  credentialsOf(alternative: OperationContract["security"][number]): Credential[] {
    return alternative.flatMap((requirement) => {
      const { valid = [] } = this.#service.credentials[requirement.scheme] ?? {};
      const found = valid.find(({ roles }) => requirement.roles.every((role) => roles.includes(role)));
      return found === undefined ? [] : [{ requirement, text: found.text }];
    });
  }

  /** A value that the service knows. */
  #known({ contract: { in: place, name } }: ParameterModel): Json | undefined {
    return this.#service.known?.[this.#operation.id]?.[`${place} /${name}`];
  }

  #parameterValues(valueFor: (parameter: ParameterModel) => Json | undefined): SentParameters | undefined {
    const all = this.#operation.parameters.map((parameter) => ({ parameter, value: valueFor(parameter) }));
    const isComplete = all.every(
      ({ parameter, value }) => value !== undefined || !parameter.contract.required,
    );
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
        const { in: place, name } = parameter.contract;
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
    const { parameters, contents } = this.#operation;
    const { content: contract } = this.#contract;
    const values = this.#parameterArbitrary(parameters);
    const bodies: fc.Arbitrary<Pick<Draft, "mediaType" | "content">>[] = contents.flatMap((content) => {
      const valid = this.#contentArbitrary(content);
      return valid === undefined
        ? []
        : [valid.map((value) => ({ mediaType: content.mediaType, content: jsonBytes(value) }))];
    });
    if (values === undefined || (contract?.required && bodies.length === 0)) return undefined;
    if (!contract?.required) bodies.push(fc.constant({ content: noContent }));
    const credentials = this.credentials();
    return fc
      .tuple(values, fc.oneof(...bodies))
      .map(([own, body]) => ({ ...body, parameters: own, credentials }));
  }

  #contentArbitrary(content: ContentModel): fc.Arbitrary<Json> | undefined {
    const { node } = content;
    const values = valuesOf(node)?.map((value) => this.#settled(value));
    return holding(
      values,
      this.#options.seed,
      (value) => isValid(node, value) && this.#admits(content, value),
    );
  }

  #settled(value: Json): Json {
    return this.#service.settle?.[this.#operation.id]?.(value) ?? value;
  }

  /** Keywords that are not checked here are left to the contract's validator. */
  #admits({ mediaType }: ContentModel, value: Json): boolean {
    const isJudged = !this.#operation.omissions.some(({ place }) => place.startsWith("body /"));
    return isJudged || this.#contract.content?.mediaTypes[mediaType]?.validate?.(value, []) !== false;
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
      const { required } = parameter.contract;
      const valid = this.#valuesOf(parameter);
      const known = this.#known(parameter);
      const choices = [
        ...(valid === undefined ? [] : [valid]),
        ...(known === undefined ? [] : [fc.constant(known)]),
        ...(required ? [] : [fc.constant(undefined)]),
      ];
      if (choices.length === 0) return undefined;
      made.push(fc.oneof(...choices).map((value) => ({ parameter, value })));
    }
    return fc.tuple(...made).map(valuesByPlace);
  }

  /** What a server reads if this parameter is written. */
  #readBack({ contract: { in: place, name }, contract }: ParameterModel, value: Json): Json | undefined {
    const others = this.#contract.parameters.filter((each) => each !== contract && each.in === "path");
    const path = Object.fromEntries(others.map((each) => [each.name, "1"]));
    const parameters = { path, [place]: { ...(place === "path" && path), [name]: value } };
    const request = writeRequest(this.#contract, { parameters, content: noContent, credentials: [] });
    return hasPlainHeaders(request) ? readBack(this.#contract, request, contract) : undefined;
  }

  /** Requests with the verdict of the constraint at its place, and valid everywhere else. */
  draftsFor(part: RequestPart, constraint: Constraint): FaultyDraft[] {
    const base = this.base();
    if (base === undefined) return [];
    if (part.kind === "parameter") return this.#parameterDrafts(base, part.model, constraint);
    const { mediaType, node } = part.model;
    const { seed, requestsEach: count } = this.#options;
    const settle = (value: Json) => this.#settled(value);
    const admits = (value: Json) => this.#admits(part.model, value);
    return valuesFor(node, constraint, { seed, count, settle, admits }).map(({ value, pointer }) => ({
      draft: { ...base, mediaType, content: jsonBytes(value) },
      place: { in: "body", pointer },
    }));
  }

  #parameterDrafts(base: Draft, parameter: ParameterModel, constraint: Constraint): FaultyDraft[] {
    const { seed, requestsEach: count } = this.#options;
    const { in: place, name } = parameter.contract;
    const root = pointerTo("", name);
    const { [name]: _, ...others } = base.parameters[place] ?? {};
    const made = (values: { readonly [name: string]: Json }, pointer: string): FaultyDraft => ({
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

interface GivenParameter {
  readonly parameter: ParameterModel;
  /** Undefined if it is left out. */
  readonly value: Json | undefined;
}

function valuesByPlace(all: readonly GivenParameter[]): SentParameters {
  const values: { [place: string]: { [name: string]: Json } } = {};
  for (const { parameter, value } of all) {
    const { in: place, name } = parameter.contract;
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
  const sound = fc.sample(values, { seed, numRuns: probes }).filter(holds);
  return sound.length * 10 < probes ? undefined : values.filter(holds);
}
