import { entriesOf, follow, isObject, type Json, pointerTo } from "../../openapi/document.ts";
import type { Response } from "../model.ts";
import { pascal } from "./names.ts";
import { readContentTypes } from "./read-content.ts";
import { readHeaders } from "./read-parameters.ts";
import type { ModelScope } from "./scope.ts";

export function readResponses(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  operationName: string,
): Response[] {
  return entriesOf(value).flatMap(([status]) => {
    if (status.startsWith("x-")) return [];
    const own = pointerTo(pointer, status);
    const place = follow(scope.document, own);
    if (!/^(?:[2-5](?:\d\d|XX)|default)$/.test(status)) {
      scope.report(
        "response-status",
        own,
        `a response cannot have the status \`${status}\`; use a status from 200 to 599, a range such as 4XX, or default`,
      );
      return [];
    }
    if (!isObject(place.value)) return [];
    const hasNoBody = ["204", "205", "304"].includes(status);
    const isWrong = hasNoBody && entriesOf(place.value.content).length > 0;
    if (isWrong)
      scope.report(
        "media-type",
        pointerTo(own, "content"),
        `a response with the status ${status} has no body (RFC 9110); remove \`content\`, or use another status`,
      );
    // Other statuses may share the response and keep its content.
    const named = isWrong ? own : place.pointer;
    const name = scope.names.response(named, `${operationName}${pascal(status).replace(/^N/, "")}`);
    return [
      {
        name,
        status,
        headers: readHeaders(scope, pointerTo(place.pointer, "headers"), place.value.headers, name),
        mediaTypes: hasNoBody
          ? []
          : readContentTypes(
              scope,
              pointerTo(place.pointer, "content"),
              place.value.content,
              "response",
              name,
            ),
      },
    ];
  });
}
