/** Rules about bodies, responses and their headers and links. */
import { isObject, type Json } from "../../openapi/document.ts";
import { isAnnotation } from "../annotations.ts";
import { isEqual } from "../facts.ts";
import { isMissing, isRejected, lossFor, requiredChanged, serializationRules } from "./parameter-rules.ts";
import { breaking, ifAdded, ifKept, ifRemoved, type Rule, raiseMinor, type Visit } from "./rule.ts";

export const bodyRules: readonly Rule[] = [
  {
    id: "body-removed",
    description: "A request or a response no longer has a body.",
    remedy: "Keep the body.",
    check: ifRemoved(lossFor),
  },
  {
    id: "body-added",
    description: "A request or a response has a body now. Only a required request body breaks callers.",
    remedy: "Make the request body optional.",
    check: ifAdded((visit) => (isMissing(visit) ? isRejected : "callers may use it"), isMissing),
  },
  requiredChanged,
];

export const mediaTypeRules: readonly Rule[] = [
  {
    id: "media-type-removed",
    description: "A media type of a body was removed.",
    remedy: "Keep the media type.",
    check: ifRemoved(({ side }) =>
      side === "sent" ? "bodies of this type are rejected" : "callers that accept only this type get another",
    ),
  },
  {
    id: "media-type-added",
    description: "A media type of a body was added.",
    remedy: raiseMinor,
    check: ifAdded(({ side }) => (side === "sent" ? "callers may send it" : "callers may ask for it")),
  },
];

export const encodingRules: readonly Rule[] = [
  {
    id: "encoding-changed",
    description: "The encoding of a part of a form changed.",
    remedy: "Restore the encoding.",
    check: ({ old, now, label }) =>
      isSameButText(old.value, now.value)
        ? undefined
        : breaking(now.value === undefined ? old : now, `${label} changed`, "parts are read in another way"),
  },
];

/** An error response that no longer occurs breaks no caller. */
const isErrorOfService = ({ label, side }: Visit): boolean =>
  side === "received" && /^response [45]/.test(label);

export const responseRules: readonly Rule[] = [
  {
    id: "response-removed",
    description: "A status was removed from the responses. Only successes and `default` break callers.",
    remedy: "Keep the status.",
    check: ifRemoved(
      (visit) =>
        isErrorOfService(visit) ? "callers no longer get it" : "callers that expect it get another",
      (visit) => !isErrorOfService(visit),
    ),
  },
  {
    id: "response-added",
    description: "A status was added to the responses.",
    remedy: raiseMinor,
    check: ifAdded("callers may get it"),
  },
];

export const headerRules: readonly Rule[] = [
  {
    id: "header-removed",
    description: "A header of a response was removed.",
    remedy: "Keep the header.",
    check: ifRemoved("callers that read it find nothing"),
  },
  {
    id: "header-added",
    description: "A header was added to a response.",
    remedy: raiseMinor,
    check: ifAdded((visit) => (isMissing(visit) ? isRejected : "callers may read it"), isMissing),
  },
  requiredChanged,
  ...serializationRules,
];

const isLost = "callers that follow it reach another operation or none";

export const linkRules: readonly Rule[] = [
  {
    id: "link-removed",
    description: "A link of a response was removed.",
    remedy: "Keep the link.",
    check: ifRemoved(isLost),
  },
  {
    id: "link-added",
    description: "A link was added to a response.",
    remedy: raiseMinor,
    check: ifAdded("callers may follow it"),
  },
  {
    id: "link-changed",
    description: "A link of a response leads to another operation or passes other parameters.",
    remedy: "Add a link with another name.",
    check: ifKept(({ old, now, label }) =>
      isSameButText(old.value, now.value) ? undefined : breaking(now, `${label} changed`, isLost),
    ),
  },
];

function isSameButText(old: Json | undefined, now: Json | undefined): boolean {
  return isEqual(withoutText(old), withoutText(now));
}

function withoutText(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => !isAnnotation(keyword)));
}
