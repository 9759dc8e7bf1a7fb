/** Rules about parameters. Some apply to headers and bodies too. */
import { valueAt } from "../../openapi/document.ts";
import { placeBelow } from "../../openapi/schema/schema-view.ts";
import { isAnything, isOnlyObject, shownStyle, styleOf } from "../serialization.ts";
import { deprecated } from "./operation-rules.ts";
import {
  added,
  breaking,
  compatible,
  ifKept,
  isTrue,
  keepRequired,
  type Rule,
  removed,
  type Visit,
} from "./rule.ts";

const isRejected = "requests without it are rejected";

/** An addition breaks callers only if requests must contain it. */
export function addedToRequest(place: string, what: string, use: string): Rule {
  const isMissing = ({ now, side }: Visit): boolean => side === "request" && isTrue(now, "required");
  const meaning = (visit: Visit): string => (isMissing(visit) ? isRejected : use);
  return added(place, what, meaning, isMissing, "Make it optional in requests.");
}

export function lossFor({ side }: Visit): string {
  return side === "request"
    ? "callers that send it are rejected or ignored"
    : "callers that read it no longer get it";
}

export const requiredChanged: Rule = {
  id: "required-changed",
  description: "A parameter, a header or a body became required or optional.",
  remedy: keepRequired,
  check: ifKept(({ old, now, label, side }) => {
    const [was, is] = [isTrue(old, "required"), isTrue(now, "required")];
    if (was === is) return undefined;
    const at = is ? placeBelow(now, "required") : now;
    const message = `${label} is ${is ? "now" : "no longer"} required`;
    if (side === "request")
      return is ? breaking(at, message, isRejected) : compatible(at, message, "callers may omit it");
    return is
      ? compatible(at, message, "callers always get it")
      : breaking(at, message, "callers that rely on it may not get it");
  }),
};

export const serializationRules: readonly Rule[] = [
  deprecated,
  {
    id: "style-changed",
    description: "A parameter or a header has another `style` or `explode`.",
    remedy: "Restore the style, or add a parameter with another name.",
    check: ifKept(({ old, now, label }) => {
      const [was, is] = [styleOf(old), styleOf(now)];
      if (isOnlyObject(old) && isAnything(now))
        return breaking(
          now,
          `${label}: the schema of the object was removed`,
          "its properties are no longer read",
        );
      const isExploded = was.explode !== undefined && is.explode !== undefined;
      if (was.style === is.style && !(isExploded && was.explode !== is.explode)) return undefined;
      const message = `${label}: style was ${shownStyle(was)}, is ${shownStyle(is)}`;
      return breaking(now, message, "the format of values on the wire changed");
    }),
  },
  {
    id: "serialization-changed",
    description: "A parameter or a header is described by `content` instead of `schema`, or the reverse.",
    remedy: "Restore the earlier form, or add a parameter with another name.",
    check: ifKept(({ old, now, label }) => {
      const [was, is] = [old, now].map(({ value }) => valueAt(value, "/content") !== undefined);
      const message = `${label}: \`${is ? "content" : "schema"}\` replaces \`${was ? "content" : "schema"}\``;
      return was === is ? undefined : breaking(now, message, "the format of values on the wire changed");
    }),
  },
];

export const parameterRules: readonly Rule[] = [
  removed("parameter", "A parameter", lossFor, () => true, "Keep it, and mark it `deprecated`."),
  addedToRequest("parameter", "A parameter", "callers may use it"),
  requiredChanged,
  {
    id: "parameter-flags-changed",
    description: "`allowEmptyValue` or `allowReserved` of a parameter changed.",
    remedy: "Restore the flag.",
    check: ifKept(({ old, now, label }) =>
      (
        [
          ["allowEmptyValue", "an empty value is now rejected"],
          ["allowReserved", "reserved characters must now be escaped"],
        ] as const
      ).flatMap(([flag, lost]) => {
        const [was, is] = [isTrue(old, flag), isTrue(now, flag)];
        if (was === is) return [];
        const message = `${label}: \`${flag}\` is ${is}`;
        return [was ? breaking(now, message, lost) : compatible(now, message, "callers may use this now")];
      }),
    ),
  },
  ...serializationRules,
];
