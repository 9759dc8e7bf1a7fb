/** Reports webhooks, callbacks and links, because no generated code enforces them. */
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { visitKinds } from "../../openapi/grammar.ts";
import type { ModelScope } from "./scope.ts";

export function reportUnenforced(scope: ModelScope): void {
  const { document } = scope;
  for (const [name] of entriesOf(document.webhooks))
    scope.report(
      "webhooks",
      pointerTo("/webhooks", name),
      "only types are generated from `webhooks`, so neither the requests that the service sends nor their responses are validated; remove it, or waive it and validate them yourself",
    );
  const operationIds = new Set<Json | undefined>();
  const links: [pointer: string, link: JsonObject][] = [];
  visitKinds("document", document, (kind, object, pointer) => {
    if (kind === "link") links.push([pointer, object]);
    if (kind !== "operation") return;
    operationIds.add(object.operationId);
    reportCallbacks(scope, pointer, object);
  });
  for (const [pointer, link] of links) reportDanglingLink(scope, operationIds, pointer, link);
}

function reportCallbacks(scope: ModelScope, pointer: string, { callbacks }: JsonObject): void {
  for (const [name] of entriesOf(callbacks))
    scope.report(
      "callbacks",
      follow(scope.document, pointerTo(pointer, "callbacks", name)).pointer,
      "nothing is generated from `callbacks`, so neither the requests that the service sends nor their responses are validated; remove it, or waive it and validate them yourself",
    );
}

/** Of a link, only the target can be checked. */
function reportDanglingLink(
  scope: ModelScope,
  operationIds: ReadonlySet<Json | undefined>,
  pointer: string,
  { operationId, operationRef }: JsonObject,
): void {
  if (operationId !== undefined && !operationIds.has(operationId))
    scope.report(
      "links",
      pointerTo(pointer, "operationId"),
      `there is no operation ${operationId}; correct the name`,
    );
  const target = typeof operationRef === "string" ? localPointer(operationRef) : undefined;
  if (operationRef !== undefined && (target === undefined || !isObject(valueAt(scope.document, target))))
    scope.report(
      "links",
      pointerTo(pointer, "operationRef"),
      "this is not an operation of this document, and nothing is ever fetched; correct it, or use `operationId`",
    );
}
