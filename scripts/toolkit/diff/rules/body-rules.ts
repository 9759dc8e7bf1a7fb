/** Rules about bodies, responses and their headers and links. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../openapi/document.ts";
import { isAnnotation } from "../../openapi/schema/keywords.ts";
import { addedToRequest, lossFor, requiredChanged, serializationRules } from "./parameter-rules.ts";
import { added, breaking, ifKept, keyOf, type Rule, removed, type Visit } from "./rule.ts";

export const bodyRules: readonly Rule[] = [
  removed("body", "The body of a request or a response", lossFor),
  addedToRequest("body", "A body of a request or a response", "callers may use it"),
  requiredChanged,
];

export const mediaTypeRules: readonly Rule[] = [
  removed("media-type", "A media type of a body", ({ side }) =>
    side === "request"
      ? "bodies of this type are rejected"
      : "callers that accept only this type get another type",
  ),
  added("media-type", "A media type of a body", ({ side }) =>
    side === "request" ? "callers may send it" : "callers may ask for it",
  ),
];

export const encodingRules: readonly Rule[] = [
  {
    id: "encoding-changed",
    description: "The encoding of a part of a form changed.",
    remedy: "Restore the encoding.",
    check: ({ old, now, label }) =>
      isSameButText(old.value, now.value)
        ? undefined
        : breaking(
            now.value === undefined ? old : now,
            `${label} changed`,
            "the service reads the parts in another way",
          ),
  },
];

/** An error response that no longer occurs breaks no caller. */
const isErrorOfService = ({ old, side }: Visit): boolean => side === "response" && /^[45]/.test(keyOf(old));

export const responseRules: readonly Rule[] = [
  removed(
    "response",
    "A status of the responses",
    (visit) =>
      isErrorOfService(visit) ? "callers no longer get it" : "callers that expect it get another status",
    (visit) => !isErrorOfService(visit),
    "Keep success statuses and `default`.",
  ),
  added("response", "A status of the responses", "callers may get it"),
];

export const headerRules: readonly Rule[] = [
  removed("header", "A header of a response", "callers that read it no longer get it"),
  addedToRequest("header", "A header of a response", "callers may read it"),
  requiredChanged,
  ...serializationRules,
];

const isLost = "callers that follow it reach another operation, or no operation";

export const linkRules: readonly Rule[] = [
  removed("link", "A link of a response", isLost),
  added("link", "A link of a response", "callers may follow it"),
  {
    id: "link-changed",
    description: "A link of a response points to another operation or passes other parameters.",
    remedy: "Add a link with another name.",
    check: ifKept(({ old, now, label }) =>
      isSameButText(old.value, now.value) ? undefined : breaking(now, `${label} changed`, isLost),
    ),
  },
];

function isSameButText(old: Json | undefined, now: Json | undefined): boolean {
  return isDeepStrictEqual(withoutText(old), withoutText(now));
}

function withoutText(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => !isAnnotation(keyword)));
}
