/** Changes on the wire and in TypeScript as one list, with everything that a report says about each. */
import { createHash } from "node:crypto";
import { fragmentOf, tokensOf } from "../../openapi/document.ts";
import type { Change, Impact } from "../changes.ts";
import type { Comparison } from "../compare.ts";
import { allRules } from "../rules/index.ts";
import { remedyFor } from "../rules/rule.ts";
import type { TypeBreak } from "../types/type-breaks.ts";

export interface Finding {
  readonly rule: string;
  readonly impact: Impact;
  readonly kind: "wire" | "types";
  /** `file:line:column`, in the older document if the place was removed. */
  readonly location: string;
  /** The place in the newer document, or the nearest one around it. */
  readonly near: string;
  readonly pointer: string;
  /** Such as `POST /orders, request`. */
  readonly subject: string;
  readonly sentence: string;
  readonly remedy: string;
  /** The waiver to paste. Undefined if the finding breaks nobody. */
  readonly waiver: string | undefined;
  /** Equal for the same finding of later comparisons, also if lines move. */
  readonly fingerprint: string;
  readonly operations: readonly string[];
  readonly waived: string | undefined;
}

export interface Report {
  readonly comparison: Comparison;
  /** The comparison with the release, from which the version follows. */
  readonly release: Comparison;
  readonly names: { readonly old: string; readonly now: string };
  /** The options that choose operations, such as `--tag users`. Empty if all are compared. */
  readonly chosen: string;
}

export interface Presentation {
  readonly all: boolean;
  readonly isColoured: boolean;
}

const maxNamed = 3;

/** @param all also lists changes of wording, and breaks of types that a change on the wire explains */
export function findingsOf({ changes, typeBreaks }: Comparison, all = true): Finding[] {
  const wire = changes.filter(({ impact }) => all || impact !== "patch").map(ofChange);
  const types = typeBreaks
    .filter((each) => all || (each.impact !== "patch" && explanationOf(each, changes) === undefined))
    .map(ofType);
  return [...wire, ...types];
}

/** How many findings a short report leaves out. */
export function hiddenIn({ changes, typeBreaks }: Comparison): { wording: number; types: number } {
  return {
    wording: [...changes, ...typeBreaks].filter(({ impact }) => impact === "patch").length,
    types: typeBreaks.filter((each) => explanationOf(each, changes) !== undefined).length,
  };
}

/** The break on the wire that also breaks the types. Both have the same place. */
function explanationOf({ pointer, impact }: TypeBreak, changes: readonly Change[]): Change | undefined {
  if (impact !== "major") return undefined;
  const [section, path, method] = tokensOf(pointer);
  const operation =
    section === "paths" && method !== undefined ? `${method.toUpperCase()} ${path}` : undefined;
  return changes.find(
    (change) =>
      change.impact === "major" &&
      (isWithin(change.pointer, pointer) ||
        isWithin(pointer, change.pointer) ||
        (operation !== undefined && change.operations.includes(operation))),
  );
}

function isWithin(pointer: string, outer: string): boolean {
  return outer !== "" && (pointer === outer || pointer.startsWith(`${outer}/`));
}

function ofChange(change: Change): Finding {
  const { rule, impact, location, near, pointer, operations, waived, message, meaning } = change;
  return {
    ...shared(rule, impact, pointer, `${change.side} ${message}`, change.side),
    kind: "wire",
    location,
    near,
    subject: affected(change),
    sentence: `${message}: ${meaning}${reasonOf(change)}`,
    operations,
    waived,
  };
}

function ofType(each: TypeBreak): Finding {
  const { rule, impact, name, use, message, also, pointer, location, near, waived } = each;
  const code = {
    name: "",
    read: " (for code that reads responses)",
    write: " (for code that writes requests)",
  };
  const [, status] = (name.endsWith('["responses"]') && /^property (\w+) is missing$/.exec(message)) || [];
  const others = also.length === 0 ? "" : `; this also breaks ${shortList(also)}`;
  return {
    ...shared(rule, impact, pointer, `${name} ${message}`, use === "write" ? "request" : "response"),
    ...(status && {
      remedy: `Code of callers that handles ${status} no longer compiles. Keep the response, or raise the major version.`,
    }),
    kind: "types",
    location,
    near,
    subject: name,
    sentence: `${message}${code[use]}${others}${reasonOf(each)}`,
    operations: [],
    waived,
  };
}

function shared(rule: string, impact: Impact, pointer: string, message: string, side: string) {
  const at = JSON.stringify(fragmentOf(pointer));
  const identity = [rule, pointer, message].join("\n");
  return {
    rule,
    impact,
    pointer,
    remedy: remedyFor(side, allRules.find(({ id }) => id === rule)?.remedy ?? ""),
    waiver: impact === "major" ? `- { rule: ${rule}, at: ${at}, reason: … }` : undefined,
    fingerprint: createHash("sha256").update(identity).digest("hex").slice(0, 32),
  };
}

function affected({ operations, statuses, side }: Change): string {
  const shown = shortList(operations);
  const part = side === "response" && statuses.length > 0 ? `response ${shortList(statuses)}` : side;
  if (operations.length === 0)
    return side === "document"
      ? "all callers"
      : side === "response"
        ? "requests that match no operation"
        : part;
  return side === "operation" ? shown : `${shown}, ${part}`;
}

function shortList(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return names.slice(0, maxNamed).join(", ") + more;
}

function reasonOf({
  impact,
  waived,
  isConfigured,
}: Pick<Change, "impact" | "waived" | "isConfigured">): string {
  if (waived !== undefined) return ` (waived: ${waived})`;
  return isConfigured === true ? ` (the configuration makes it ${impact})` : "";
}
