/** Sends the requests that are made for an operation, and reports what is wrong with the responses. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { OperationContract, Problem } from "../../generated/contract.ts";
import { isJson } from "../../server/contract/media-type.ts";
import type { Json } from "../openapi/document.ts";
import { type OperationDrafts, partsOf, placeOf } from "./drafts.ts";
import {
  documentedResponse,
  inWords,
  judgeExchange,
  type SentRequest,
  undeclaredHeaders,
} from "./exchange.ts";
import type { OperationModel } from "./operation-model.ts";
import { type Credential, type Draft, noContent, writeRequest } from "./requests.ts";
import {
  type NamedPlace,
  type Provocation,
  refusalFaults,
  type ServiceUnderTest,
  type SuiteOptions,
} from "./service-under-test.ts";

/** Something that is wrong, and what was sent. */
export interface Told {
  readonly request: SentRequest;
  readonly message: string;
}

/** The checks of each operation. */
export const operationChecks = {
  examples: "responds to its examples as documented",
  validRequests: "responds to valid requests as documented",
  faults: "rejects a single invalid value, and accepts a valid one in its place",
  contents: "rejects a body of another media type, and a malformed one",
  credentials: "rejects missing, wrong and insufficient credentials",
} as const;

/** What a request must get: no rejection, the rejection for this reason, or one that names only this place. */
type Expected = "valid" | Provocation | NamedPlace;

export class OperationChecks implements Record<keyof typeof operationChecks, () => Promise<Told[]>> {
  readonly #service: ServiceUnderTest;
  readonly #operation: OperationModel;
  readonly #contract: OperationContract;
  readonly #drafts: OperationDrafts;
  readonly #options: SuiteOptions;

  constructor(
    service: ServiceUnderTest,
    operation: OperationModel,
    drafts: OperationDrafts,
    options: SuiteOptions,
  ) {
    this.#service = service;
    this.#operation = operation;
    this.#contract = operation.contract;
    this.#drafts = drafts;
    this.#options = options;
  }

  async examples(): Promise<Told[]> {
    const told: Told[] = [];
    for (const draft of this.#drafts.examples())
      told.push(...(await this.#send(this.#written(draft), "valid")));
    for (const { status, examples } of this.#operation.responses)
      told.push(...this.#exampleFaults(status, examples));
    return told;
  }

  #exampleFaults(status: string, examples: ReadonlyMap<string, ReadonlyMap<string, Json>>): Told[] {
    const mediaTypes = documentedResponse(this.#contract.responses, statusIn(status))?.mediaTypes ?? {};
    return [...examples].flatMap(([mediaType, values]) =>
      [...values].flatMap(([name, value]) => {
        const problems: Problem[] = [];
        if (isJson(mediaType)) mediaTypes[mediaType]?.validate?.(value, problems);
        const request = this.#written(this.#drafts.base() ?? emptyDraft);
        return problems.map(({ pointer, message }) => ({
          request,
          message: `the example ${name} of ${status} breaks its schema: ${pointer} ${message}`,
        }));
      }),
    );
  }

  async validRequests(): Promise<Told[]> {
    const base = this.#drafts.base();
    const drafts = this.#drafts.valid();
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
    const property = fc.asyncProperty(drafts, send);
    const { failed, counterexamplePath, errorInstance } = await fc.check(property, { seed, numRuns });
    if (failed && last.length === 0) throw errorInstance;
    if (failed)
      return last.map(({ request, message }) => ({
        request,
        message: `${message} (seed ${seed}, path ${counterexamplePath})`,
      }));
    if (successes > 0 || this.#options.mustSucceed === false) return [];
    const remedy = "set in `known` which parameters find something, or in `settle` which body succeeds";
    return [{ request: this.#written(base), message: `no valid request succeeded; ${remedy}` }];
  }

  async faults(): Promise<Told[]> {
    const told: Told[] = [];
    for (const part of partsOf(this.#operation))
      for (const constraint of part.model.constraints)
        for (const { draft, place } of this.#drafts.draftsFor(part, constraint)) {
          const isRight = constraint.verdict === "valid" || constraint.verdict === "absent";
          const about = isRight ? "" : `${placeOf(part, constraint)} (${constraint.verdict}): `;
          told.push(...(await this.#send(this.#written(draft), isRight ? "valid" : place, about)));
        }
    return told;
  }

  async contents(): Promise<Told[]> {
    const base = this.#drafts.base();
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
    ];
    const told: Told[] = [];
    for (const draft of drafts)
      told.push(...(await this.#send(this.#written(draft), "media_type_unsupported")));
    for (const content of json === undefined ? [] : malformed)
      told.push(
        ...(await this.#send(this.#written({ ...base, mediaType: json, content }), "content_malformed")),
      );
    const { maxContentBytes } = this.#service;
    if (maxContentBytes !== undefined && json !== undefined) {
      const content = Buffer.alloc(maxContentBytes + 1, " ");
      const request = this.#written({ ...base, mediaType: json, content });
      told.push(...(await this.#send(request, "content_too_large")));
    }
    const coded = this.#written({ ...base, mediaType: json, content: Buffer.from("{}") });
    const headers = [...coded.headers, ["Content-Encoding", "x-undocumented"] as const];
    told.push(...(await this.#send({ ...coded, headers }, "content_coding_unsupported")));
    const withoutContent = this.#written({ ...base, content: noContent });
    told.push(
      ...(await this.#send(withoutContent, contract.required ? { in: "body", pointer: "" } : "valid")),
    );
    return told;
  }

  async credentials(): Promise<Told[]> {
    const { security } = this.#contract;
    if (security.length === 0) return [];
    const found = await this.#accepted();
    if (found === undefined) return [];
    const { draft: base, isTaken } = found;
    const mayBeMissing = security.some((alternative) => alternative.length === 0);
    const told: Told[] = [];
    const refused = async (
      credentials: readonly Credential[],
      what: string,
      [provocation, status]: readonly [Provocation, number],
    ) => {
      const request = this.#written({ ...base, credentials });
      const { answer, faults } = await this.#exchange(request);
      const messages = faults.filter(({ wrong }) => wrong !== "accepted").map(({ message }) => message);
      if (answer.status !== status) messages.push(`${what}: the response is ${answer.status}, not ${status}`);
      else
        for (const fault of refusalFaults(this.#service, provocation, answer))
          messages.push(`${what}: ${fault}`);
      told.push(...messages.map((message) => ({ request, message })));
    };
    if (!mayBeMissing) await refused([], "without a credential", ["credential_missing", 401]);
    for (const alternative of security)
      for (const requirement of alternative) {
        const others = this.#drafts
          .credentialsOf(alternative)
          .filter((each) => each.requirement !== requirement);
        const { valid = [], invalid = {} } = this.#service.credentials[requirement.scheme] ?? {};
        for (const [why, text] of Object.entries(invalid))
          await refused([...others, { requirement, text }], `with a credential that is ${why}`, [
            "credential_invalid",
            401,
          ]);
        for (const { text, roles } of valid) {
          const isEnough = security.some((each) =>
            each.every(
              (needed) =>
                needed.scheme === requirement.scheme && needed.roles.every((role) => roles.includes(role)),
            ),
          );
          const what = `with a credential of the roles ${roles.join(", ") || "none"}`;
          if (isEnough) {
            const request = this.#written({ ...base, credentials: [...others, { requirement, text }] });
            const { told: amiss, status } = await this.#ask(request, "valid");
            told.push(...amiss);
            if (isTaken && (status === 401 || status === 403))
              told.push({ request, message: `${what}, which are enough: the response is ${status}` });
          } else await refused([...others, { requirement, text }], what, ["role_missing", 403]);
        }
      }
    return told;
  }

  /** A valid request that the credential of all others is enough for, if one is found; else the one that all others vary. */
  async #accepted(): Promise<{ draft: Draft; isTaken: boolean } | undefined> {
    const base = this.#drafts.base();
    const drafts = this.#drafts.valid();
    if (base === undefined || drafts === undefined) return undefined;
    const { seed, validRequests: numRuns } = this.#options;
    for (const draft of [base, ...fc.sample(drafts, { seed, numRuns })]) {
      const { status } = await this.#service.send(this.#written(draft));
      if (status >= 200 && status < 300) return { draft, isTaken: true };
    }
    return { draft: base, isTaken: false };
  }

  async #send(request: SentRequest, expected: Expected, about = ""): Promise<Told[]> {
    return (await this.#ask(request, expected, about)).told;
  }

  /** @param about what the request has, before a message that says that it was not rejected as it should be */
  async #ask(
    request: SentRequest,
    expected: Expected,
    about = "",
  ): Promise<{ told: Told[]; status: number }> {
    const { answer, faults } = await this.#exchange(request);
    const messages: string[] = [];
    const places = this.#service.placesIn?.(answer);
    const named =
      places?.map((place) => `${place.in} ${place.pointer || "as a whole"}`).join(", ") || "no place";
    const isRefused = answer.status >= 400 && answer.status < 500;
    if (expected === "valid") {
      // Documented or not: a service that fails has not kept its word to a request that keeps the spec.
      if (answer.status >= 500) {
        const reason = this.#service.reasonOf?.(answer);
        messages.push(
          `the request is valid, but the response is ${answer.status}${reason ? `: ${reason}` : ""}`,
        );
      } else if (places !== undefined && places.length > 0)
        messages.push(`the request is valid, but the response is ${answer.status} and names ${named}`);
    } else if (!isRefused) {
      if (!faults.some(({ wrong }) => wrong === "accepted"))
        messages.push(`the response is ${answer.status}, not 4xx`);
    } else if (typeof expected === "string") {
      messages.push(...refusalFaults(this.#service, expected, answer));
    } else {
      const isExact =
        places === undefined ||
        (places.length > 0 && places.every((place) => isDeepStrictEqual(pick(place), pick(expected))));
      if (!isExact)
        messages.push(
          `the response is ${answer.status} and names ${named}, not ${expected.in} ${expected.pointer || "as a whole"}`,
        );
      else messages.push(...refusalFaults(this.#service, "request_invalid", answer));
    }
    const told = [
      ...faults.map(({ wrong, message }) => (wrong === "accepted" ? about + message : message)),
      ...messages.map((message) => about + message),
    ];
    return { told: told.map((message) => ({ request, message })), status: answer.status };
  }

  async #exchange(request: SentRequest) {
    const answer = await this.#service.send(request);
    const judged = await judgeExchange(this.#service.contract, request, answer);
    const faults: { wrong: "answer" | "accepted"; message: string }[] = judged.answer.map((fault) => ({
      wrong: "answer",
      message: `response ${answer.status}: ${inWords(fault)}`,
    }));
    const { operations, unmatched } = this.#service.contract;
    const responses = operations[judged.operationId ?? ""]?.responses ?? unmatched;
    for (const name of undeclaredHeaders(responses, answer, this.#service.undeclaredHeaders))
      faults.push({
        wrong: "answer",
        message: `response ${answer.status}: header /${name} is not declared`,
      });
    const [first] = judged.request;
    if (judged.isWronglyAccepted && first !== undefined)
      faults.push({
        wrong: "accepted",
        message: `was accepted with ${answer.status}, although ${inWords(first)}`,
      });
    return { answer, faults };
  }

  #written(draft: Draft): SentRequest {
    return writeRequest(this.#contract, draft);
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
