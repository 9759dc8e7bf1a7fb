/** The errors that the server returns before a handler runs, by operation. */
import {
  entriesOf,
  follow,
  fragmentOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  valueAt,
} from "./document.ts";
import { operationsIn } from "./grammar.ts";

export type RejectionStatus = "400" | "401" | "403" | "413" | "415" | "422";

/** The statuses must be those of the pipeline and `server/rejections.ts`. */
export function rejectionsOf(
  json: Json,
  operation: JsonObject,
  item: Json | undefined,
  responses: JsonObject,
): RejectionStatus[] {
  const security = listOf(operation.security ?? valueAt(json, "/security"));
  // A credential that is sent must be valid and allowed, even if none is needed.
  const acceptsKey = security.some((each) => entriesOf(each).length > 0);
  const hasBody = operation.requestBody !== undefined;
  const hasParameters = [operation.parameters, valueAt(item, "/parameters")].some(
    (list) => listOf(list).length > 0,
  );
  // Without a 422, an invalid request gets a 400.
  const is422 = responses["400"] === undefined || ["422", "4XX", "default"].some((each) => each in responses);
  return [
    ...(acceptsKey ? (["401", "403"] as const) : []),
    ...(hasBody ? (["400", "413", "415"] as const) : []),
    ...(hasBody || hasParameters ? ([is422 ? "422" : "400"] as const) : []),
  ];
}

export interface UndocumentedRejection {
  readonly status: RejectionStatus;
  /** Such as `GET /books`. */
  readonly operation: string;
  /** The responses of the operation. */
  readonly pointer: string;
}

/** The rejections that no response of their operation describes. */
export function undocumentedRejections(document: JsonObject): UndocumentedRejection[] {
  return operationsOf(document).flatMap(({ name, item, operation, pointer }) => {
    const { responses } = operation;
    if (!isObject(responses) || "4XX" in responses || "default" in responses) return [];
    const missing = rejectionsOf(document, operation, item, responses).filter(
      (status) => responses[status] === undefined,
    );
    return [...new Set(missing)].map((status) => ({ status, operation: name, pointer }));
  });
}

/** The reference that most operations have for a status. */
export function usualResponse(document: JsonObject, status: string): string | undefined {
  const references = operationsOf(document)
    .map(({ operation }) => valueAt(operation, pointerTo("/responses", status, "$ref")))
    .filter((reference) => typeof reference === "string");
  const groups = [...Map.groupBy(references, (reference) => reference)];
  return groups.toSorted(([, some], [, others]) => others.length - some.length)[0]?.[0];
}

/** A reference to the schema that most errors of a media type have. Undefined if none is in this file. */
export function usualSchema(document: Json, mediaType: string): string | undefined {
  const errors = operationsOf(document).flatMap(({ operation, pointer }) =>
    entriesOf(operation.responses).flatMap(([status]) => {
      const response = follow(document, pointerTo(pointer, status));
      const at = pointerTo(response.pointer, "content", mediaType, "schema");
      const schema = valueAt(document, at);
      return /^[45]|^default$/.test(status) && schema !== undefined ? [{ at, schema }] : [];
    }),
  );
  const groups = [...Map.groupBy(errors, ({ schema }) => JSON.stringify(schema)).values()];
  const [usual] = groups.toSorted((some, others) => others.length - some.length)[0] ?? [];
  if (usual === undefined) return undefined;
  const reference = valueAt(usual.schema, "/$ref");
  return typeof reference === "string" ? reference : fragmentOf(usual.at);
}

function operationsOf(document: Json) {
  return entriesOf(valueAt(document, "/paths")).flatMap(([path]) => {
    if (!path.startsWith("/")) return [];
    const { pointer: at, value: item } = follow(document, pointerTo("/paths", path));
    return operationsIn(item).map(({ method, operation, pointer }) => {
      return { name: `${method} ${path}`, item, operation, pointer: `${at}${pointer}/responses` };
    });
  });
}
