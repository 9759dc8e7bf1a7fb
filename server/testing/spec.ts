/** All requests and responses in the spec that have a JSON body, with their examples. */
import document from "../../generated/openapi.json" with { type: "json" };

export interface SpecMessage {
  /** Undefined for responses to unknown routes. */
  readonly operationId: string | undefined;
  /** Undefined for a request body. */
  readonly status: number | undefined;
  /** The examples, keyed by name. */
  readonly examples: ReadonlyMap<string, unknown>;
}

/** `$ref` and `description` are listed because the compiler rejects objects without any of the listed properties. */
interface Message {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: {
    readonly [mediaType: string]: {
      readonly schema?: unknown;
      readonly examples?: { readonly [name: string]: { readonly value: unknown } };
    };
  };
}

interface Operation {
  readonly operationId: string;
  readonly "x-twin-of"?: string;
  readonly requestBody?: Message;
  readonly responses: { readonly [status: string]: Message };
}

interface PathItem {
  readonly [key: string]: Operation | readonly object[];
}

const paths: { readonly [path: string]: PathItem } = document.paths;
const components: {
  readonly [section in "requestBodies" | "responses"]: { readonly [name: string]: Message };
} = document.components;

/** The operations without twins. */
export const specOperations = Object.entries(paths).flatMap(([path, item]) => {
  const operations = Object.entries(item).flatMap(([method, each]) =>
    "operationId" in each ? { method: method.toUpperCase(), ...each } : [],
  );
  return operations
    .filter((each) => each["x-twin-of"] === undefined)
    .map(({ requestBody, ...operation }) => ({
      path,
      twin: operations.find((each) => each["x-twin-of"] === operation.operationId)?.method,
      ...operation,
      requestBody: requestBody && resolved("requestBodies", requestBody),
    }));
});

export const specMessages: readonly SpecMessage[] = [
  ...specOperations.flatMap(({ operationId, requestBody, responses }) => [
    ...messageOf(operationId, undefined, requestBody),
    ...responsesOf(operationId, responses),
  ]),
  ...responsesOf(undefined, document["x-unmatched-responses"]),
];

/** Returns a readable name of a message. */
export function placeOf({ operationId = "unmatched", status = 0 }: SpecMessage): string {
  return `${operationId} ${status === 0 ? "content" : status}`;
}

function responsesOf(operationId: string | undefined, responses: Operation["responses"]): SpecMessage[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    messageOf(operationId, Number(status), resolved("responses", response)),
  );
}

function resolved(section: keyof typeof components, message: Message): Message {
  return components[section][message.$ref?.split("/").at(-1) ?? ""] ?? message;
}

function messageOf(
  operationId: string | undefined,
  status: number | undefined,
  message: Message | undefined,
): SpecMessage[] {
  const media = message?.content?.["application/json"];
  if (media === undefined) return [];
  const examples = Object.entries(media.examples ?? {}).map(([name, { value }]) => [name, value] as const);
  return [{ operationId, status, examples: new Map(examples) }];
}
