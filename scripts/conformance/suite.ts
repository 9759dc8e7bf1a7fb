/**
 * Holds a running service to its contract, by requests that are made from the document: its examples, any that are valid,
 * ones with one fault each, and ones with wrong credentials, methods and addresses. It knows a service by its spec alone,
 * and by what `ServiceUnderTest` says.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Contract, OperationContract, Problem } from "../../generated/contract.ts";
import { isJson } from "../../server/contract/styles.ts";
import { type Json, tokensOf, valueAt } from "../generate/document.ts";
import type { Constraint, Omission } from "./constraints.ts";
import { evaluate, faultsIn } from "./evaluate.ts";
import {
  answerFaults,
  documentedResponse,
  judgeExchange,
  matchRequest,
  type ReceivedAnswer,
  readContent,
  type SentRequest,
} from "./exchange.ts";
import {
  type ContentModel,
  modelOf,
  type OperationModel,
  type ParameterModel,
  type ServiceModel,
} from "./operation-model.ts";
import {
  type Credential,
  type Draft,
  jsonBytes,
  type ParameterValues,
  readBack,
  writeRequest,
} from "./requests.ts";
import { valuesFor, valuesOf } from "./values.ts";

/** Where an answer says that a request is wrong. */
export interface NamedPlace {
  readonly in: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}

export interface ServiceUnderTest {
  readonly contract: Contract;
  /** What the contract was generated from, bundled. */
  readonly document: unknown;
  /** Sends bytes as they are, and answers what came back as it came. */
  send(request: SentRequest): Promise<ReceivedAnswer>;
  /** By security scheme: credentials that hold, with the roles that they have, and ones that do not, by why. */
  readonly credentials: {
    readonly [scheme: string]: {
      readonly valid: readonly { readonly text: string; readonly roles: readonly string[] }[];
      readonly invalid: { readonly [why: string]: string };
    };
  };
  /** The places that a refusal names, all of them; empty where it names none. */
  placesIn(answer: ReceivedAnswer): readonly NamedPlace[];
  /** Values of parameters by which something is found, by operation and `in /name`. */
  readonly known?: { readonly [operationId: string]: { readonly [parameter: string]: Json } };
  /** Makes content, which the schema admits, keep rules beyond the schema, by operation. */
  readonly settle?: { readonly [operationId: string]: (content: Json) => Json };
}

export interface Finding {
  /** Undefined where no operation is asked for. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** Method, target and content, abridged. */
  readonly request: string;
  readonly message: string;
}

export interface Check {
  readonly operationId: string | undefined;
  readonly name: string;
  run(): Promise<Finding[]>;
}

/** A valid call, for a client to make. */
export interface ValidCall {
  readonly parameters: ParameterValues;
  /** Undefined where none is sent. */
  readonly content: Json | undefined;
}

export interface Suite {
  readonly checks: readonly Check[];
  /** Every example, and `validRequests` other valid calls; by operation. */
  calls(): ReadonlyMap<string, readonly ValidCall[]>;
  /** What no request is made for, by operation. */
  omissions(): (Omission & { readonly operationId: string })[];
}

export interface SuiteOptions {
  /** The same requests for the same seed. */
  readonly seed: number;
  /** How many valid requests each operation gets. */
  readonly validRequests: number;
  /** How many requests each constraint gets. */
  readonly requestsEach: number;
}

interface Told {
  readonly request: SentRequest;
  readonly message: string;
}

/** What each operation is held to. */
export const operationChecks = {
  examples: "answers the examples of requests, and has examples of answers, as documented",
  validRequests: "answers valid requests as documented, and none as faulty",
  faults: "refuses a request with one fault, and names its place alone",
  contents: "refuses content of another kind",
  credentials: "refuses credentials that are missing, wrong or too weak",
} as const;

/** What the service as a whole is held to. */
export const serviceChecks = {
  methods: "refuses a method that an address does not take",
  addresses: "refuses an address that is none",
} as const;

/** Runs nothing yet: each check does when it is asked to. */
export function suiteOf(service: ServiceUnderTest, options: SuiteOptions): Suite {
  const model = modelOf(service.document, service.contract);
  const runs = model.operations.map((operation) => new OperationRun(service, model, operation, options));
  const named = (operationId: string | undefined, name: string, run: () => Promise<Told[]>): Check => ({
    operationId,
    name,
    run: async () =>
      (await run()).map(({ request, message }) => ({
        operationId,
        check: name,
        request: shown(request),
        message,
      })),
  });
  // Made when they are asked for: values of large schemas take their time.
  const calls = () => new Map(runs.map((run) => [run.id, run.calls()]));
  const omissions = () =>
    runs.flatMap((run) => run.omissions().map((each) => ({ ...each, operationId: run.id })));
  const keys = Object.keys(operationChecks) as (keyof typeof operationChecks)[];
  return {
    checks: [
      ...runs.flatMap((run) => keys.map((key) => named(run.id, operationChecks[key], () => run[key]()))),
      named(undefined, serviceChecks.methods, () => wrongMethods(service)),
      named(undefined, serviceChecks.addresses, () => wrongAddresses(service)),
    ],
    calls,
    omissions,
  };
}

const noContent = new Uint8Array();
/** How many values are looked at to tell whether valid ones can be made at all. */
const probes = 40;

/** A part of a request that may be wrong, with the values that it has where another part is. */
type Part =
  | { readonly kind: "parameter"; readonly model: ParameterModel }
  | { readonly kind: "content"; readonly model: ContentModel };

/** What a request should meet: no complaint, any refusal, or one that names this place alone. */
type Expected = "valid" | "refused" | NamedPlace;

interface FaultyDraft {
  readonly draft: Draft;
  readonly place: NamedPlace;
}

class OperationRun {
  readonly id: string;
  readonly #service: ServiceUnderTest;
  readonly #model: ServiceModel;
  readonly #operation: OperationModel;
  readonly #contract: OperationContract;
  readonly #options: SuiteOptions;
  /** Undefined until it is known whether valid requests can be made, and where none can. */
  #base: { readonly draft: Draft | undefined } | undefined;

  constructor(
    service: ServiceUnderTest,
    model: ServiceModel,
    operation: OperationModel,
    options: SuiteOptions,
  ) {
    this.id = operation.id;
    this.#service = service;
    this.#model = model;
    this.#operation = operation;
    this.#contract = operation.contract;
    this.#options = options;
  }

  omissions(): Omission[] {
    const omissions = [...this.#operation.omissions];
    if (this.#baseDraft() === undefined)
      omissions.push({ place: "", why: "no valid request can be made: nothing is sent but its examples" });
    else
      for (const part of this.#parts())
        for (const constraint of constraintsOf(part))
          if (constraint.verdict !== "valid" && this.#draftsFor(part, constraint).length === 0)
            omissions.push({
              place: `${labelOf(part)}${constraint.place}`,
              why: `\`${constraint.verdict}\`: no request was found that differs in this alone`,
            });
    return omissions;
  }

  async examples(): Promise<Told[]> {
    const told: Told[] = [];
    for (const draft of this.#examples())
      told.push(
        ...(await this.#send(this.#written({ ...draft, credentials: this.#credentials() }), "valid")),
      );
    for (const { status, examples } of this.#operation.responses)
      told.push(...this.#exampleFaults(status, examples));
    return told;
  }

  calls(): ValidCall[] {
    const { seed, validRequests: numRuns } = this.#options;
    const drafts = this.#baseDraft() === undefined ? undefined : this.#drafts();
    const others = drafts === undefined ? [] : fc.sample(drafts, { seed, numRuns });
    return [...this.#examples(), ...others].map(({ parameters, content }) => ({
      parameters,
      content: content.byteLength === 0 ? undefined : JSON.parse(Buffer.from(content).toString("utf8")),
    }));
  }

  #examples(): Pick<Draft, "parameters" | "mediaType" | "content">[] {
    const { contents, parameters } = this.#operation;
    const found = contents.flatMap(({ mediaType, examples }) =>
      [...examples.values()].map((value) => ({ mediaType, content: jsonBytes(value) })),
    );
    const most = Math.max(1, ...parameters.map(({ examples }) => examples.length));
    return (found.length > 0 ? found : [{ content: noContent }]).flatMap((content) =>
      Array.from({ length: most }, (_, index) => index).flatMap((index) => {
        const values = this.#parameterValues(
          ({ examples }) => examples[index % Math.max(1, examples.length)],
        );
        return values === undefined ? [] : [{ ...content, parameters: values }];
      }),
    );
  }

  #exampleFaults(status: string, examples: ReadonlyMap<string, ReadonlyMap<string, Json>>): Told[] {
    const mediaTypes = documentedResponse(this.#contract.responses, statusIn(status))?.mediaTypes ?? {};
    return [...examples].flatMap(([mediaType, values]) =>
      [...values].flatMap(([name, value]) => {
        const problems: Problem[] = [];
        if (isJson(mediaType)) mediaTypes[mediaType]?.validate?.(value, problems);
        const request = this.#written(this.#baseDraft() ?? emptyDraft);
        return problems.map(({ pointer, message }) => ({
          request,
          message: `the example ${name} of ${status} breaks its schema: ${pointer} ${message}`,
        }));
      }),
    );
  }

  async validRequests(): Promise<Told[]> {
    const base = this.#baseDraft();
    const drafts = this.#drafts();
    if (base === undefined || drafts === undefined) return [];
    const { seed, validRequests: numRuns } = this.#options;
    let last: Told[] = [];
    let successes = 0;
    const send = async (draft: Draft): Promise<boolean> => {
      const { told, status } = await this.#ask(this.#written(draft), "valid");
      if (told.length > 0) last = told;
      if (status >= 200 && status < 300) successes += 1;
      return told.length === 0;
    };
    await send(base);
    const { failed, counterexamplePath } = await fc.check(fc.asyncProperty(drafts, send), { seed, numRuns });
    if (failed)
      return last.map(({ request, message }) => ({
        request,
        message: `${message} (seed ${seed}, path ${counterexamplePath})`,
      }));
    if (successes > 0) return [];
    const remedy = "say in `known` which parameters find something, or in `settle` which content succeeds";
    return [
      { request: this.#written(base), message: `no valid request was answered by a success; ${remedy}` },
    ];
  }

  async faults(): Promise<Told[]> {
    const told: Told[] = [];
    for (const part of this.#parts())
      for (const constraint of constraintsOf(part))
        for (const { draft, place } of this.#draftsFor(part, constraint)) {
          const isRight = constraint.verdict === "valid" || constraint.verdict === "absent";
          const found = await this.#send(this.#written(draft), isRight ? "valid" : place);
          const about = `${labelOf(part)}${constraint.place} (${constraint.verdict})`;
          told.push(
            ...(isRight
              ? found
              : found.map(({ request, message }) => ({ request, message: `${about}: ${message}` }))),
          );
        }
    return told;
  }

  async contents(): Promise<Told[]> {
    const base = this.#baseDraft();
    const { content: contract } = this.#contract;
    if (base === undefined || contract === undefined) return [];
    const documented = Object.keys(contract.mediaTypes);
    const other = ["application/x-undocumented", "text/x-undocumented"].filter(
      (mediaType) => matchedBy(documented, mediaType) === false,
    );
    const json = documented.find(isJson);
    const drafts: Draft[] = [
      ...other.map((mediaType) => ({ ...base, mediaType, content: Buffer.from("{}") })),
      ...(other.length > 0 ? [{ ...base, mediaType: undefined, content: Buffer.from("{}") }] : []),
      ...(json === undefined ? [] : malformed.map((content) => ({ ...base, mediaType: json, content }))),
    ];
    const told: Told[] = [];
    for (const draft of drafts) told.push(...(await this.#send(this.#written(draft), "refused")));
    const withoutContent = this.#written({ ...base, content: noContent });
    told.push(
      ...(await this.#send(withoutContent, contract.required ? { in: "body", pointer: "" } : "valid")),
    );
    return told;
  }

  async credentials(): Promise<Told[]> {
    const base = this.#baseDraft();
    const { security } = this.#contract;
    if (base === undefined || security.length === 0) return [];
    const mayBeMissing = security.some((alternative) => alternative.length === 0);
    const told: Told[] = [];
    const refused = async (credentials: readonly Credential[], what: string, statuses: readonly number[]) => {
      const request = this.#written({ ...base, credentials });
      const { answer, faults } = await this.#exchange(request);
      const messages = faults.filter(({ wrong }) => wrong !== "accepted").map(({ message }) => message);
      if (!statuses.includes(answer.status))
        messages.push(`${what}: answered ${answer.status}, not ${statuses.join(" or ")}`);
      told.push(...messages.map((message) => ({ request, message })));
    };
    if (!mayBeMissing) await refused([], "without credential", [401]);
    for (const alternative of security)
      for (const requirement of alternative) {
        const others = this.#credentialsOf(alternative).filter((each) => each.requirement !== requirement);
        const { valid = [], invalid = {} } = this.#service.credentials[requirement.scheme] ?? {};
        for (const [why, text] of Object.entries(invalid))
          await refused([...others, { requirement, text }], `with a credential that is ${why}`, [401]);
        for (const { text, roles } of valid) {
          const isEnough = security.some((each) =>
            each.every(
              (needed) =>
                needed.scheme === requirement.scheme && needed.roles.every((role) => roles.includes(role)),
            ),
          );
          const what = `with a credential of the roles ${roles.join(", ") || "none"}`;
          if (isEnough)
            told.push(
              ...(await this.#send(
                this.#written({ ...base, credentials: [...others, { requirement, text }] }),
                "valid",
              )),
            );
          else await refused([...others, { requirement, text }], what, [403]);
        }
      }
    return told;
  }

  /** Sends, and tells all that is not as it should be: of a valid request, of one that is refused, or for a fault. */
  async #send(request: SentRequest, expected: Expected): Promise<Told[]> {
    return (await this.#ask(request, expected)).told;
  }

  async #ask(request: SentRequest, expected: Expected): Promise<{ told: Told[]; status: number }> {
    const { answer, faults } = await this.#exchange(request);
    const messages = faults.map(({ message }) => message);
    const places = this.#service.placesIn(answer);
    const named =
      places.map((place) => `${place.in} ${place.pointer || "as a whole"}`).join(", ") || "no place";
    const isRefused = answer.status >= 400 && answer.status < 500;
    if (expected === "valid") {
      if (places.length > 0)
        messages.push(`is valid, but was answered ${answer.status}, which names ${named}`);
    } else if (!isRefused) {
      if (!faults.some(({ wrong }) => wrong === "accepted"))
        messages.push(`answered ${answer.status}, not 4xx`);
    } else if (expected !== "refused") {
      const isExact =
        places.length > 0 && places.every((place) => isDeepStrictEqual(pick(place), pick(expected)));
      if (!isExact)
        messages.push(
          `answered ${answer.status}, which names ${named}, not ${expected.in} ${expected.pointer || "as a whole"}`,
        );
    }
    return { told: messages.map((message) => ({ request, message })), status: answer.status };
  }

  async #exchange(request: SentRequest) {
    const answer = await this.#service.send(request);
    const judged = await judgeExchange(this.#service.contract, request, answer);
    const faults: { wrong: "answer" | "accepted"; message: string }[] = judged.answer.map(
      ({ in: place, pointer, message }) => ({
        wrong: "answer",
        message: `answered ${answer.status}: ${[place, pointer, message].filter((each) => each !== "").join(" ")}`,
      }),
    );
    if (judged.isWronglyAccepted) {
      const [fault] = judged.request;
      const why = [fault?.in, fault?.pointer, fault?.message].filter((each) => each !== "").join(" ");
      faults.push({ wrong: "accepted", message: `was accepted with ${answer.status}, although ${why}` });
    }
    return { answer, faults };
  }

  #written(draft: Draft): SentRequest {
    return writeRequest(this.#contract, draft);
  }

  /** Those of the first alternative that the service has credentials for. */
  #credentials(): Credential[] {
    const { security } = this.#contract;
    const made = security.map((alternative) => ({
      alternative,
      credentials: this.#credentialsOf(alternative),
    }));
    return (
      made.find(({ alternative, credentials }) => credentials.length === alternative.length)?.credentials ??
      []
    );
  }

  #credentialsOf(alternative: OperationContract["security"][number]): Credential[] {
    return alternative.flatMap((requirement) => {
      const { valid = [] } = this.#service.credentials[requirement.scheme] ?? {};
      const found = valid.find(({ roles }) => requirement.roles.every((role) => roles.includes(role)));
      return found === undefined ? [] : [{ requirement, text: found.text }];
    });
  }

  #parts(): Part[] {
    const { parameters, contents } = this.#operation;
    return [
      ...parameters.map((model) => ({ kind: "parameter", model }) as const),
      ...contents.map((model) => ({ kind: "content", model }) as const),
    ];
  }

  #parameterValues(valueFor: (parameter: ParameterModel) => Json | undefined): ParameterValues | undefined {
    const values: { [place: string]: { [name: string]: Json } } = {};
    for (const parameter of this.#operation.parameters) {
      const { in: place, name, required } = parameter.contract;
      const value = this.#service.known?.[this.id]?.[`${place} /${name}`] ?? valueFor(parameter);
      if (value === undefined && required) return undefined;
      if (value !== undefined) values[place] = { ...values[place], [name]: value };
    }
    return values;
  }

  /** A valid request to be made wrong; undefined where none can be made. */
  #baseDraft(): Draft | undefined {
    if (this.#base !== undefined) return this.#base.draft;
    const drafts = this.#drafts();
    const found =
      drafts === undefined ? undefined : fc.sample(drafts, { seed: this.#options.seed, numRuns: 1 })[0];
    const parameters =
      found && this.#parameterValues(({ contract: { in: place, name } }) => found.parameters[place]?.[name]);
    this.#base = { draft: found && parameters && { ...found, parameters } };
    return this.#base.draft;
  }

  /** Any valid requests. */
  #drafts(): fc.Arbitrary<Draft> | undefined {
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
    const credentials = this.#credentials();
    return fc
      .tuple(values, fc.oneof(...bodies))
      .map(([own, body]) => ({ ...body, parameters: own, credentials }));
  }

  #contentArbitrary({ schema }: ContentModel): fc.Arbitrary<Json> | undefined {
    const settle = this.#service.settle?.[this.id] ?? ((value: Json) => value);
    const { nodeOf } = this.#model;
    return holding(valuesOf(nodeOf, schema)?.map(settle), this.#options.seed, (value) => {
      return faultsIn(evaluate(nodeOf, schema, value)).length === 0;
    });
  }

  #parameterArbitrary(parameters: readonly ParameterModel[]): fc.Arbitrary<ParameterValues> | undefined {
    const { nodeOf } = this.#model;
    const made: fc.Arbitrary<{ parameter: ParameterModel; value: Json | undefined }>[] = [];
    for (const parameter of parameters) {
      const { in: place, name, required } = parameter.contract;
      const valid = holding(valuesOf(nodeOf, parameter.schema), this.#options.seed, (value) => {
        const isSound = faultsIn(evaluate(nodeOf, parameter.schema, value)).length === 0;
        return isSound && isDeepStrictEqual(this.#readBack(parameter, value), value);
      });
      const known = this.#service.known?.[this.id]?.[`${place} /${name}`];
      const choices = [
        ...(valid === undefined ? [] : [valid]),
        ...(known === undefined ? [] : [fc.constant(known)]),
        ...(required ? [] : [fc.constant(undefined)]),
      ];
      if (choices.length === 0) return undefined;
      made.push(fc.oneof(...choices).map((value) => ({ parameter, value })));
    }
    return fc.tuple(...made).map((all) => {
      const values: { [place: string]: { [name: string]: Json } } = {};
      for (const { parameter, value } of all) {
        const { in: place, name } = parameter.contract;
        if (value !== undefined) values[place] = { ...values[place], [name]: value };
      }
      return values;
    });
  }

  /** What the server would read where this one parameter is written. */
  #readBack({ contract: { in: place, name }, contract }: ParameterModel, value: Json): Json | undefined {
    const others = this.#contract.parameters.filter((each) => each !== contract && each.in === "path");
    const path = Object.fromEntries(others.map((each) => [each.name, "1"]));
    const parameters = { path, [place]: { ...(place === "path" && path), [name]: value } };
    const request = this.#written({ parameters, content: noContent, credentials: [] });
    return readBack(this.#contract, request, contract);
  }

  #draftsFor(part: Part, constraint: Constraint): FaultyDraft[] {
    const base = this.#baseDraft();
    if (base === undefined) return [];
    const { nodeOf } = this.#model;
    const { seed, requestsEach: count } = this.#options;
    if (part.kind === "content") {
      const { mediaType, schema } = part.model;
      const settle = this.#service.settle?.[this.id];
      return valuesFor(nodeOf, schema, constraint, { seed, count, ...(settle && { settle }) }).map(
        ({ value, pointer }) => ({
          draft: { ...base, mediaType, content: jsonBytes(value) },
          place: { in: "body", pointer },
        }),
      );
    }
    return this.#parameterDrafts(base, part.model, constraint);
  }

  #parameterDrafts(base: Draft, parameter: ParameterModel, constraint: Constraint): FaultyDraft[] {
    const { nodeOf } = this.#model;
    const { seed, requestsEach: count } = this.#options;
    const { in: place, name } = parameter.contract;
    const root = `/${escaped(name)}`;
    const { [name]: _, ...others } = base.parameters[place] ?? {};
    if (
      constraint.steps.length === 0 &&
      (constraint.verdict === "required" || constraint.verdict === "absent")
    )
      return place === "path"
        ? []
        : [
            {
              draft: { ...base, parameters: { ...base.parameters, [place]: others } },
              place: { in: place, pointer: root },
            },
          ];
    return valuesFor(nodeOf, parameter.schema, constraint, { seed, count: count * 4 })
      .filter(({ value }) => {
        const read = this.#readBack(parameter, value);
        if (read === undefined) return false;
        const visits = evaluate(nodeOf, parameter.schema, read);
        const isMeant = (each: { place: string; verdict: string }) =>
          each.place === constraint.place && each.verdict === constraint.verdict;
        const faults = faultsIn(visits);
        return faults.length === 0 ? visits.some(isMeant) : faults.length === 1 && faults.every(isMeant);
      })
      .slice(0, count)
      .map(({ value, pointer }) => ({
        draft: { ...base, parameters: { ...base.parameters, [place]: { ...others, [name]: value } } },
        place: { in: place, pointer: root + pointer },
      }));
  }
}

const emptyDraft: Draft = { parameters: {}, content: noContent, credentials: [] };

/** JSON that breaks off, is none, is no UTF-8, and holds half of a surrogate pair. */
const malformed: readonly Uint8Array[] = [
  Buffer.from("{"),
  Buffer.from("{}}"),
  Buffer.from([0x22, 0xff, 0x22]),
  Buffer.from('"\\ud800"'),
];

function constraintsOf(part: Part): readonly Constraint[] {
  if (part.kind === "content") return part.model.constraints;
  return parameterConstraints(part.model);
}

/** Those of its schema that text can break, and whether it is there. */
export function parameterConstraints({ contract, constraints, schema }: ParameterModel): Constraint[] {
  const verdict = contract.required ? "required" : "absent";
  const isText = contract.type === "string" || Array.isArray(contract.type);
  return [
    ...(contract.in === "path" ? [] : [{ place: "", steps: [], schema, verdict }]),
    ...constraints.filter(
      (each) => each.verdict !== "type" || !(isText || typeof contract.type === "object"),
    ),
  ];
}

function labelOf(part: Part): string {
  return part.kind === "content" ? "body " : `${part.model.contract.in} /${part.model.contract.name}`;
}

/** The arbitrary without what does not hold; undefined where hardly anything does. */
function holding(
  values: fc.Arbitrary<Json> | undefined,
  seed: number,
  holds: (value: Json) => boolean,
): fc.Arbitrary<Json> | undefined {
  if (values === undefined) return undefined;
  const sound = fc.sample(values, { seed, numRuns: probes }).filter(holds);
  return sound.length * 10 < probes ? undefined : values.filter(holds);
}

function pick({ in: place, pointer }: NamedPlace): NamedPlace {
  return { in: place, pointer };
}

function statusIn(key: string): number {
  return Number(key.replace(/XX$/, "00")) || 0;
}

function matchedBy(documented: readonly string[], mediaType: string): boolean {
  const [type] = mediaType.split("/");
  return documented.some((each) => each === mediaType || each === `${type}/*` || each === "*/*");
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

const allMethods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Paths of the contract with something in the place of each parameter, and the methods that they take. */
function addresses({ contract }: ServiceUnderTest): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of Object.values(contract.operations)) {
    const target = path.replaceAll(/\{[^{}]+\}/g, "1");
    methods.set(target, (methods.get(target) ?? new Set()).add(method));
  }
  return methods;
}

async function wrongMethods(service: ServiceUnderTest): Promise<Told[]> {
  const told: Told[] = [];
  for (const [target, taken] of addresses(service))
    for (const method of allMethods)
      if (!taken.has(method) && matchRequest(service.contract, { method, target }).operationId === undefined)
        told.push(...(await unmatched(service, method, target, 405)));
  return told;
}

async function wrongAddresses(service: ServiceUnderTest): Promise<Told[]> {
  const told: Told[] = [];
  for (const [target, [method = "GET"]] of addresses(service))
    for (const other of [`${target}/undocumented`, `${target}x`, `/undocumented${target}`]) {
      const [fault] = matchRequest(service.contract, { method, target: other }).faults;
      if (fault?.in === "address") told.push(...(await unmatched(service, method, other, 404)));
    }
  return told;
}

async function unmatched(
  service: ServiceUnderTest,
  method: string,
  target: string,
  status: number,
): Promise<Told[]> {
  const request = { method, target, headers: [], content: noContent };
  const answer = await service.send(request);
  const { unmatched: contracts } = service.contract;
  const messages =
    Object.keys(contracts).length === 0
      ? []
      : answerFaults(contracts, method, answer).map((fault) =>
          [fault.in, fault.pointer, fault.message].join(" "),
        );
  if (answer.status !== status) messages.push(`answered ${answer.status}, not ${status}`);
  return messages.map((message) => ({ request, message }));
}

/** A request as a person reads it, its content abridged; never a header, for that may be a secret. */
function shown({ method, target, content }: SentRequest): string {
  const text = Buffer.from(content).toString("utf8");
  const abridged = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return [method, target, abridged].filter((each) => each !== "").join(" ");
}

/** The places in the problems at a pointer of a JSON answer, each with its own `in` and `pointer`. */
export function placesAt(answer: ReceivedAnswer, pointer: string): NamedPlace[] {
  const read = readContent("application/json", answer.content);
  const problems = read === undefined ? undefined : valueAt(read.value, pointer);
  if (!Array.isArray(problems) || tokensOf(pointer).length === 0) return [];
  return problems.flatMap((problem) => {
    const { in: place, pointer: at } = problem as { in?: unknown; pointer?: unknown };
    return typeof place === "string" && typeof at === "string" ? [{ in: place, pointer: at }] : [];
  });
}
