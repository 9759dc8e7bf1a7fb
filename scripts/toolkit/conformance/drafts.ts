/** Makes drafts of requests for an operation: its examples, valid requests, and requests with a single invalid value. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { SecurityRequirement } from "#specbind/contract";
import { type Json, pointerTo } from "../openapi/document.ts";
import { evaluate, isValid, messageOf, violationsIn } from "../openapi/schema/evaluate.ts";
import type { SchemaNode } from "../openapi/schema/schema-node.ts";
import { writeBody } from "./bodies.ts";
import type { ValidBody } from "./checks/body-variants.ts";
import type { Problem } from "./exchange.ts";
import { type OperationModel, type ParameterModel, usualMediaType } from "./operation-model.ts";
import { bodyPart, parameterPart, placeOf, type RequestPart } from "./request-parts.ts";
import type { Credential, Draft, ParameterValues } from "./requests.ts";
import type { KnownValues, ServiceUnderTest, SuiteOptions } from "./service-under-test.ts";
import { OperationTime } from "./time-budget.ts";
import { bounded, measured, sample } from "./values/arbitraries.ts";
import type { Constraint, Omission } from "./values/constraints.ts";
import { noValueMessage } from "./values/least-size.ts";
import { valuesFor, valuesOf } from "./values/values.ts";

/** The number of samples. If fewer than a tenth of them are valid, no valid values are made. */
const probes = 40;

/** Constraints with so many kinds of values that they get twice the usual number of requests. */
const hasManyForms = ["valid", "pattern", "format"];

/** Makes the drafts of one operation. Drafts that cannot be made are undefined or missing. */
export class OperationDrafts {
  readonly parts: readonly RequestPart[];
  readonly #service: ServiceUnderTest;
  readonly #operation: OperationModel;
  readonly #options: SuiteOptions;
  readonly #time: OperationTime;
  #base: { readonly draft: Draft | undefined } | undefined;
  readonly #values = new Map<RequestPart, { readonly values: fc.Arbitrary<Json> | undefined }>();
  readonly #made = new Map<Constraint, ReturnType<typeof valuesFor>>();
  #valid: { readonly drafts: fc.Arbitrary<Draft> | undefined } | undefined;
  /** The first result of `setUp`. Drafts are made from it. `#present` is the last result. */
  #madeWith: KnownValues | undefined;
  #present: KnownValues = {};

  constructor(
    service: ServiceUnderTest,
    operation: OperationModel,
    options: SuiteOptions,
    time = new OperationTime(),
  ) {
    this.#service = service;
    this.#operation = operation;
    this.#options = options;
    this.#time = time;
    const mediaTypes = operation.body?.mediaTypes ?? [];
    this.parts = [
      ...operation.parameters.map((parameter) => parameterPart(operation, parameter)),
      ...mediaTypes.map((media) => bodyPart(media, operation.responses, service.settle?.[this.#name])),
    ];
  }

  /** True if the operation has used its share of the time. Then only its first valid request is made. */
  get isOutOfTime(): boolean {
    return this.#time.isOver;
  }

  omissions(): Omission[] {
    const omissions = this.parts.flatMap((part) => part.omissions);
    const { limitMs, isAllUsed } = this.#time;
    const leftOut = `are left out, because making them took more than ${Math.round(limitMs)} ms`;
    if (isAllUsed) return [...omissions, { place: "request", why: `some requests ${leftOut}` }];
    const isMade = this.base() !== undefined;
    if (!isMade)
      omissions.push({ place: "request", why: "no valid request can be made, so only examples are sent" });
    for (const part of this.parts)
      if (this.#valuesOf(part) === undefined)
        omissions.push({ place: part.label, why: this.#noValue(part, part.node) });
      else if (isMade) omissions.push(...this.#unmade(part));
    if (this.isOutOfTime) omissions.push({ place: "request", why: `some requests ${leftOut}` });
    return omissions;
  }

  #noValue({ at }: RequestPart, node: SchemaNode): string {
    const pointer = pointerTo(at, "schema");
    return noValueMessage(node, this.#service.locate?.(pointer) ?? `#${pointer}`);
  }

  /** Constraints for which no draft can be made. Places below a place that can have no valid value are not listed. */
  #unmade(part: RequestPart): Omission[] {
    const omissions: Omission[] = [];
    const valueless: string[] = [];
    for (const constraint of part.constraints) {
      const { place, verdict, node } = constraint;
      const isWithin = valueless.some((each) => place === each || place.startsWith(`${each}/`));
      if (isWithin || this.draftsFor(part, constraint).length > 0) continue;
      if (this.isOutOfTime) break;
      const hasNone =
        verdict === "valid" &&
        !this.#time.measure(() => this.#isOften(valuesOf(node), (value) => isValid(node, value)));
      if (hasNone) valueless.push(place);
      const why = hasNone
        ? this.#noValue(part, node)
        : `\`${verdict}\`: no request was found that violates only this`;
      omissions.push({ place: placeOf(part, constraint), why });
    }
    return omissions;
  }

  examples(): Draft[] {
    const { body, parameters } = this.#operation;
    const ofParameters = this.parts.slice(0, parameters.length);
    const found = (body?.mediaTypes ?? []).flatMap((media, index) =>
      [...media.examples.values()].map((value) => ({
        body: writeBody(media, value),
        value,
        problem: problemIn(this.parts[parameters.length + index], value),
      })),
    );
    const most = Math.max(1, ...parameters.map(({ examples }) => examples.length));
    const all = found.length > 0 || body?.required ? found : [{ body: undefined, problem: undefined }];
    return all.flatMap((example) =>
      Array.from({ length: most }, (_, index) => index).flatMap((index) => {
        const values = this.#parameterValues(
          (parameter) =>
            parameter.examples[index % Math.max(1, parameter.examples.length)] ?? this.#known(parameter),
        );
        if (values === undefined) return [];
        const problems = parameters.map(({ in: place, name }, at) =>
          problemIn(ofParameters[at], values[place]?.[name]),
        );
        const problem = problems.find((each) => each !== undefined) ?? example.problem;
        return [{ ...example, parameters: values, credentials: this.credentials(), problem }];
      }),
    );
  }

  /** The credentials of the first alternative for which the service under test lists all credentials. */
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

  /** True if the requests lack a required credential. */
  lacksCredential(): boolean {
    const { security } = this.#operation;
    const given = this.credentials().map(({ requirement }) => requirement);
    const isGiven = (each: SecurityRequirement) => each.credential === "unknown" || given.includes(each);
    return security.length > 0 && !security.some((alternative) => alternative.every(isGiven));
  }

  /** The name that this operation has in the service's `setUp`, `known` and `settle`. */
  get #name(): string {
    return this.#operation.twinOf ?? this.#operation.id;
  }

  /** True if the base was sent and succeeded. */
  isBaseAccepted = false;
  /** True if a request may have changed what the last call of `setUp` made. */
  isSpent = true;

  async setUp(): Promise<void> {
    this.isSpent = false;
    const made = await this.#service.setUp?.[this.#name]?.();
    if (made === undefined) return;
    this.#present = made;
    if (this.#madeWith !== undefined) return;
    this.#madeWith = made;
    this.#base = undefined;
    this.#valid = undefined;
  }

  /** Replaces each parameter value that the first call of `setUp` has returned with the value from its last call. */
  present(draft: Draft): Draft {
    const values = this.#parameterValues((parameter) => {
      const { in: place, name } = parameter;
      const key = `${place} /${name}`;
      const value = draft.parameters[place]?.[name];
      return isDeepStrictEqual(value, this.#madeWith?.[key]) ? this.#present[key] : value;
    });
    return { ...draft, parameters: values ?? draft.parameters };
  }

  /** A value that exists in the service, by `setUp` or `known`. The header If-Match has any tag (RFC 9110, section 13.1.1). */
  #known({ in: place, name }: ParameterModel): Json | undefined {
    const key = `${place} /${name}`;
    const anyTag = isPrecondition({ in: place, name }) && /^if-match$/i.test(name) ? "*" : undefined;
    return this.#madeWith?.[key] ?? this.#service.known?.[this.#name]?.[key] ?? anyTag;
  }

  #parameterValues(valueFor: (parameter: ParameterModel) => Json | undefined): ParameterValues | undefined {
    const values: { [place: string]: { [name: string]: Json } } = {};
    for (const parameter of this.#operation.parameters) {
      const { in: place, name, required } = parameter;
      const value = valueFor(parameter);
      if (value === undefined && required) return undefined;
      if (value !== undefined) values[place] = { ...values[place], [name]: value };
    }
    return values;
  }

  /** The valid request on which the invalid requests are based. It has the document's examples and existing values. */
  base(): Draft | undefined {
    if (this.#base !== undefined) return this.#base.draft;
    const drafts = this.valid();
    let draft = drafts && sample(drafts, { seed: this.#options.seed, numRuns: 1 })[0];
    const usual = usualMediaType(this.#operation);
    const { parameters, body } = this.#operation;
    for (const [index, part] of this.parts.entries()) {
      const parameter = parameters[index];
      const isUsual = parameter !== undefined || body?.mediaTypes[index - parameters.length] === usual;
      const value = (parameter && this.#known(parameter)) ?? (isUsual ? part.examples[0] : undefined);
      const isLeftOut = parameter !== undefined && !parameter.required && isPrecondition(parameter);
      if (draft !== undefined && isLeftOut) draft = part.replace(draft, undefined);
      else if (draft !== undefined && value !== undefined) draft = part.replace(draft, part.settle(value));
    }
    this.#base = { draft };
    return draft;
  }

  /** A valid body of each media type. The body of the base is first. */
  bodies(): ValidBody[] {
    const { seed } = this.#options;
    const found = (this.#operation.body?.mediaTypes ?? []).flatMap((media, index): ValidBody[] => {
      const part = this.parts[this.#operation.parameters.length + index];
      const values = part && this.#valuesOf(part);
      const [value] = [
        ...(part?.examples ?? []),
        ...(values === undefined ? [] : sample(values, { seed, numRuns: 1 })),
      ];
      return part === undefined || value === undefined ? [] : [{ media, value: part.settle(value) }];
    });
    const usual = usualMediaType(this.#operation);
    return found.toSorted((one, other) => Number(other.media === usual) - Number(one.media === usual));
  }

  valid(): fc.Arbitrary<Draft> | undefined {
    if (this.#valid !== undefined) return this.#valid.drafts;
    const drafts = this.#validDrafts();
    this.#valid = { drafts: drafts && measured(drafts, this.#time) };
    return this.#valid.drafts;
  }

  #validDrafts(): fc.Arbitrary<Draft> | undefined {
    const { parameters, body } = this.#operation;
    let drafts: fc.Arbitrary<Draft> = fc.constant({
      parameters: {},
      body: undefined,
      credentials: this.credentials(),
    });
    const bodies: fc.Arbitrary<(draft: Draft) => Draft>[] = [];
    for (const [index, part] of this.parts.entries()) {
      const parameter = parameters[index];
      const values = this.#valuesOf(part);
      const known = parameter && this.#known(parameter);
      const choices = [
        ...(values === undefined ? [] : [values]),
        ...(known === undefined ? [] : [fc.constant(known)]),
        ...(parameter?.required === false ? [fc.constant(undefined)] : []),
      ].map((each) => each.map((value) => (draft: Draft) => part.replace(draft, value)));
      if (parameter === undefined) bodies.push(...choices);
      else if (choices.length === 0) return undefined;
      else drafts = fc.tuple(drafts, fc.oneof(...choices)).map(([draft, change]) => change(draft));
    }
    if (!body?.required) bodies.push(fc.constant((draft) => draft));
    if (bodies.length === 0) return undefined;
    return fc.tuple(drafts, fc.oneof(...bodies)).map(([draft, change]) => change(draft));
  }

  /** Valid values that can be sent. Undefined if too few of the samples are valid, or no time is left for any operation. */
  #valuesOf(part: RequestPart): fc.Arbitrary<Json> | undefined {
    const time = this.#time;
    const known = this.#values.get(part);
    if (known !== undefined || time.isAllUsed) return known?.values;
    const values = time.measure(() => this.#newValuesOf(part));
    this.#values.set(part, { values });
    return values;
  }

  #newValuesOf(part: RequestPart): fc.Arbitrary<Json> | undefined {
    const values = valuesOf(part.node)?.map((value) => part.settle(value));
    const canBeRead = (value: Json): boolean => {
      const read = isValid(part.node, value) ? part.readBack(value) : undefined;
      return read !== undefined && isValid(part.node, read);
    };
    return values && this.#isOften(values, canBeRead) ? bounded(values.filter(canBeRead)) : undefined;
  }

  #isOften(values: fc.Arbitrary<Json> | undefined, holds: (value: Json) => boolean): boolean {
    if (values === undefined) return false;
    const sampled = sample(values, { seed: this.#options.seed, numRuns: probes });
    return sampled.filter(holds).length * 10 >= probes;
  }

  /** Requests that violate only this constraint. For the verdict `valid`, valid requests. */
  draftsFor(part: RequestPart, constraint: Constraint): (Draft & { readonly problem: Problem })[] {
    const base = this.base();
    if (base === undefined) return [];
    const { place, node } = part;
    const { verdict, steps } = constraint;
    if (steps.length === 0 && (verdict === "required" || verdict === "absent"))
      return [{ ...part.replace(base, undefined), problem: { ...place, message: "is required" } }];
    const { seed, requestsEach, requestsForValues = Infinity } = this.#options;
    const constraints = this.parts.reduce((sum, each) => sum + each.constraints.length, 0);
    const usual = Math.max(1, Math.min(requestsEach, Math.floor(requestsForValues / constraints)));
    const count = hasManyForms.includes(verdict) ? 2 * usual : usual;
    const known = this.#made.get(constraint);
    if (known === undefined && this.#time.isOver) return [];
    const parameter = this.#operation.parameters[this.parts.indexOf(part)];
    const existing = parameter && this.#known(parameter);
    const examples = [...(existing === undefined ? [] : [existing]), ...part.examples];
    const make = () => valuesFor(node, constraint, { seed, count, ...part, examples });
    const made = known ?? this.#time.measure(make);
    this.#made.set(constraint, made);
    return made.map(({ value, pointer, message }) => ({
      ...part.replace(base, value),
      problem: { in: place.in, pointer: place.pointer + pointer, message },
    }));
  }
}

/** True if the header makes the request depend on the ETag of a record (RFC 9110, section 13.1). */
export function isPrecondition({ in: place, name }: Pick<ParameterModel, "in" | "name">): boolean {
  return place === "header" && /^if-(?:none-)?match$/i.test(name);
}

function problemIn(part: RequestPart | undefined, value: Json | undefined): Problem | undefined {
  const read = value === undefined ? undefined : part?.readBack(value);
  if (part === undefined || read === undefined) return undefined;
  const [violation] = violationsIn(evaluate(part.node, read));
  const { in: place, pointer } = part.place;
  return violation && { in: place, pointer: pointer + violation.pointer, message: messageOf(violation) };
}
