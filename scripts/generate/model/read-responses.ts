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
    const place = follow(scope.document, pointerTo(pointer, status));
    if (!/^(?:[2-5](?:\d\d|XX)|default)$/.test(status)) {
      scope.report(
        "response-status",
        pointerTo(pointer, status),
        `a response cannot have the status \`${status}\`; use a status from 200 to 599, a range such as 4XX, or default`,
      );
      return [];
    }
    if (!isObject(place.value)) return [];
    const content = pointerTo(place.pointer, "content");
    const hasNoBody = ["204", "205", "304"].includes(status);
    if (hasNoBody && entriesOf(place.value.content).length > 0)
      scope.report(
        "media-type",
        content,
        `a response with the status ${status} has no body (RFC 9110); remove \`content\`, or use another status`,
      );
    const name = scope.names.response(place.pointer, `${operationName}${pascal(status).replace(/^N/, "")}`);
    return [
      {
        name,
        status,
        headers: readHeaders(scope, pointerTo(place.pointer, "headers"), place.value.headers, name),
        mediaTypes: hasNoBody ? [] : readContentTypes(scope, content, place.value.content, "response", name),
      },
    ];
  });
}
