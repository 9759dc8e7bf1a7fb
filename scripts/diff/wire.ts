/**
 * The wire verdict: goes through two OpenAPI documents side by side and judges each difference by what it does to a
 * caller who was written for the older one.
 */
import { entriesOf, isObject, type Json, pointerTo, valueAt } from "../openapi/document.ts";
import { methods } from "../openapi/grammar.ts";
import { type Change, gathered } from "./changes.ts";
import {
  below,
  factsOf,
  isEqual,
  kindsOf,
  type Place,
  place,
  resolved,
  type Side,
  textsOf,
} from "./facts.ts";
import { isAnnotation } from "./keywords.ts";
import type { Pair, Report } from "./pair.ts";
import { SchemaComparison } from "./schemas.ts";
import { securityChanges } from "./security.ts";
import type { Spec } from "./spec.ts";

/** OpenAPI 3.1, Parameter Object: what is meant where `style` is left out. */
const defaultStyles: { readonly [location: string]: string } = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};
/** OpenAPI 3.1, Parameter Object and Header Object: definitions of these are ignored. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

export function wireChanges(before: Spec, after: Spec): Change[] {
  return new WireComparison(before, after).changes();
}

class WireComparison {
  readonly #before: Spec;
  readonly #after: Spec;
  readonly #schemas: SchemaComparison;
  readonly #found: Change[] = [];
  #operation: string | undefined;

  constructor(before: Spec, after: Spec) {
    this.#before = before;
    this.#after = after;
    this.#schemas = new SchemaComparison(before, after);
  }

  changes(): Change[] {
    const root: Pair = { old: place(this.#before, ""), now: place(this.#after, "") };
    this.#paths(child(root, "paths"));
    this.#webhooks(child(root, "webhooks"));
    this.#responses(child(root, "x-unmatched-responses"), "received");
    this.#dialect(root);
    return gathered([...this.#found, ...this.#wording()]);
  }

  readonly #report: Report = (impact, subject, message, meaning, side) => {
    const isGone = subject.spec === this.#before;
    this.#found.push({
      impact,
      pointer: subject.pointer,
      isGone,
      location: this.#after.locate(subject.pointer),
      side,
      message,
      meaning,
      isCertain: true,
      operations: this.#operation === undefined ? [] : [this.#operation],
    });
  };

  #paths(paths: Pair): void {
    const olds = new Map(entriesOf(paths.old.value).map(([path]) => [routeOf(path), path]));
    const nows = new Map(entriesOf(paths.now.value).map(([path]) => [routeOf(path), path]));
    for (const [route, path] of olds) {
      if (!path.startsWith("/")) continue;
      const successor = nows.get(route);
      this.#operation = path;
      if (successor === undefined) {
        const at = below(paths.old, path);
        this.#report("major", at, `path ${path} is gone`, "calls to it find nothing", "operation");
      } else {
        const pair = resolvedPair({ old: below(paths.old, path), now: below(paths.now, successor) });
        this.#pathItem(pair, path, successor);
      }
    }
    for (const [route, path] of nows) {
      if (olds.has(route) || !path.startsWith("/")) continue;
      this.#operation = path;
      const shadowed = [...olds.values()].filter((old) => takesFrom(path, old));
      // Ids made by the service are seldom such a word, so that it is compatible as a rule; but nobody can tell.
      const warning =
        shadowed.length === 0 ? "" : `; those that called it as ${shadowed.join(", ")} get another operation`;
      const meaning = `callers may call it${warning}`;
      this.#report("minor", below(paths.now, path), `path ${path} is new`, meaning, "operation");
    }
    this.#operation = undefined;
  }

  #pathItem(pair: Pair, oldPath: string, path: string): void {
    const names = new Map<string, string>();
    const [olds, nows] = [templateNames(oldPath), templateNames(path)];
    for (const [index, name] of olds.entries()) names.set(name, nows[index] ?? name);
    for (const method of methods) {
      const operation = child(pair, method);
      if (operation.old.value === undefined && operation.now.value === undefined) continue;
      const name = `${method.toUpperCase()} ${path}`;
      this.#operation = name;
      if (operation.now.value === undefined)
        this.#report("major", operation.old, `${name} is gone`, "calls to it are refused", "operation");
      else if (operation.old.value === undefined)
        this.#report("minor", operation.now, `${name} is new`, "callers may call it", "operation");
      else this.#operationPair(operation, pair, names, "sent");
    }
  }

  /** @param side who sends the request: the caller, unless the service calls back */
  #operationPair(operation: Pair, item: Pair, names: ReadonlyMap<string, string>, side: Side): void {
    const other: Side = side === "sent" ? "received" : "sent";
    this.#deprecation(operation);
    this.#parameters(operation, item, names, side);
    this.#content(child(operation, "requestBody"), side);
    this.#responses(child(operation, "responses"), other);
    if (side === "sent") {
      securityChanges(this.#before, this.#after, operation, this.#report);
      this.#servers(operation, item);
    }
    this.#callbacks(child(operation, "callbacks"));
  }

  #deprecation({ old, now }: Pair): void {
    if (isTrue(now, "deprecated") && !isTrue(old, "deprecated"))
      this.#report("minor", now, "is deprecated now", "callers should leave it in time", "operation");
  }

  #webhooks(webhooks: Pair): void {
    for (const name of namesOf(webhooks)) {
      const pair = resolvedPair(child(webhooks, name));
      if (pair.now.value === undefined)
        this.#report(
          "major",
          pair.old,
          `webhook ${name} is gone`,
          "callers wait for it in vain",
          "operation",
        );
      else if (pair.old.value === undefined)
        this.#report("minor", pair.now, `webhook ${name} is new`, "callers may take it", "operation");
      else this.#calledBack(pair, `webhook ${name}`);
    }
  }

  #callbacks(callbacks: Pair): void {
    for (const name of namesOf(callbacks)) {
      const pair = resolvedPair(child(callbacks, name));
      for (const expression of namesOf(pair)) {
        const item = resolvedPair(child(pair, expression));
        const label = `callback ${name} ${expression}`;
        if (item.now.value === undefined)
          this.#report("major", item.old, `${label} is gone`, "callers wait for it in vain", "operation");
        else if (item.old.value === undefined)
          this.#report("minor", item.now, `${label} is new`, "callers may be called there", "operation");
        else this.#calledBack(item, label);
      }
    }
  }

  #calledBack(item: Pair, label: string): void {
    for (const method of methods) {
      const operation = child(item, method);
      if (operation.old.value === undefined && operation.now.value === undefined) continue;
      if (operation.now.value === undefined)
        this.#report(
          "major",
          operation.old,
          `${label}: ${method} is gone`,
          "callers wait for it in vain",
          "operation",
        );
      else if (operation.old.value === undefined)
        this.#report(
          "major",
          operation.now,
          `${label}: ${method} is new`,
          "callers do not expect it",
          "operation",
        );
      else this.#operationPair(operation, item, new Map(), "received");
    }
  }

  #parameters(operation: Pair, item: Pair, names: ReadonlyMap<string, string>, side: Side): void {
    const olds = parametersOf(item.old, operation.old, names);
    const nows = parametersOf(item.now, operation.now);
    for (const [key, old] of olds) {
      const now = nows.get(key);
      if (now !== undefined) this.#parameter({ old, now }, side);
      else if (side === "sent")
        this.#report(
          "major",
          old,
          `${key} parameter is gone`,
          "callers that send it are refused or not heard",
          "request",
        );
      else
        this.#report(
          "major",
          old,
          `${key} parameter is gone`,
          "callers that read it find nothing",
          "response",
        );
    }
    for (const [key, now] of nows) {
      if (olds.has(key)) continue;
      if (side === "sent" && isTrue(now, "required"))
        this.#report(
          "major",
          now,
          `${key} parameter is new and required`,
          "requests without it are refused",
          "request",
        );
      else this.#report("minor", now, `${key} parameter is new`, "callers may use it", sideName(side));
    }
  }

  #parameter(pair: Pair, side: Side): void {
    const { old, now } = pair;
    const label = nameOf(now);
    const [was, is] = [isTrue(old, "required"), isTrue(now, "required")];
    if (!was && is)
      this.#report(
        side === "sent" ? "major" : "minor",
        below(now, "required"),
        `${label} is now required`,
        side === "sent" ? "requests without it are refused" : "callers may count on it",
        sideName(side),
      );
    if (was && !is)
      this.#report(
        side === "sent" ? "minor" : "major",
        now,
        `${label} is no longer required`,
        side === "sent" ? "callers may leave it out" : "callers that count on it may find nothing",
        sideName(side),
      );
    this.#deprecation(pair);
    this.#serialisation(pair, side);
    for (const [flag, lost] of [
      ["allowEmptyValue", "an empty value is refused now"],
      ["allowReserved", "reserved characters must be escaped now"],
    ] as const) {
      if (isTrue(old, flag) === isTrue(now, flag)) continue;
      const impact = isTrue(old, flag) ? "major" : "minor";
      const meaning = impact === "major" ? lost : "callers may do so now";
      this.#report(impact, now, `${label}: \`${flag}\` is ${isTrue(now, flag)}`, meaning, sideName(side));
    }
    const [wasContent, isContent] = [old, now].map((each) => valueAt(each.value, "/content") !== undefined);
    if (wasContent !== isContent)
      this.#report(
        "major",
        now,
        `${label} is written in another form`,
        "it is no longer read as it is written",
        sideName(side),
      );
    else if (isContent) this.#mediaTypes(child(pair, "content"), side);
    else this.#schema(child(pair, "schema"), side);
  }

  #serialisation({ old, now }: Pair, side: Side): void {
    const [was, is] = [old, now].map((each) => {
      const location = String(valueAt(each.value, "/in") ?? "header");
      const style = String(valueAt(each.value, "/style") ?? defaultStyles[location] ?? "simple");
      const explode = valueAt(each.value, "/explode") ?? style === "form";
      const kinds = kindsOf(factsOf(below(each, "schema")));
      const isScalar = !kinds.includes("array") && !kinds.includes("object");
      // `explode` says nothing of a single value in the styles that put no name before it.
      return isScalar && ["form", "simple", "label"].includes(style) ? style : `${style}, explode ${explode}`;
    });
    if (was === is || (was?.split(",")[0] === is?.split(",")[0] && isScalarStyle(was, is))) return;
    this.#report(
      "major",
      now,
      `${nameOf(now)}: style was ${was}, is ${is}`,
      "values are written in another way",
      sideName(side),
    );
  }

  #content(bodies: Pair, side: Side): void {
    const { old, now } = resolvedPair(bodies);
    const isSent = side === "sent";
    if (old.value === undefined && now.value === undefined) return;
    if (old.value === undefined) {
      const impact = isSent && isTrue(now, "required") ? "major" : "minor";
      const meaning = impact === "major" ? "requests without it are refused" : "callers may use it";
      const required = isTrue(now, "required") ? "required " : "";
      this.#report(impact, now, `${required}content is new`, meaning, sideName(side));
      return;
    }
    if (now.value === undefined) {
      const meaning = isSent
        ? "requests that send it are refused or not heard"
        : "callers that read it find nothing";
      this.#report("major", old, "the content is gone", meaning, sideName(side));
      return;
    }
    const [was, is] = [isTrue(old, "required"), isTrue(now, "required")];
    if (!was && is)
      this.#report(
        isSent ? "major" : "minor",
        below(now, "required"),
        "the content is now required",
        isSent ? "requests without it are refused" : "callers may count on it",
        sideName(side),
      );
    if (was && !is)
      this.#report(
        isSent ? "minor" : "major",
        now,
        "the content is no longer required",
        isSent ? "callers may leave it out" : "callers that count on it may find nothing",
        sideName(side),
      );
    this.#mediaTypes(child({ old, now }, "content"), side);
  }

  #mediaTypes(content: Pair, side: Side): void {
    const nows = entriesOf(content.now.value).map(([name]) => name);
    const olds = entriesOf(content.old.value).map(([name]) => name);
    for (const name of olds) {
      const successor = covering(name, nows);
      const old = below(content.old, name);
      if (successor === undefined) {
        const meaning =
          side === "sent" ? "content of it is refused" : "callers that ask for it or read it get another";
        this.#report("major", old, `media type ${name} is gone`, meaning, sideName(side));
        continue;
      }
      const pair = { old, now: below(content.now, successor) };
      this.#schema(child(pair, "schema"), side);
      this.#encoding(child(pair, "encoding"), side);
    }
    for (const name of nows) {
      if (covering(name, olds) !== undefined) continue;
      const meaning = side === "sent" ? "callers may send it" : "callers may ask for it";
      this.#report("minor", below(content.now, name), `media type ${name} is new`, meaning, sideName(side));
    }
  }

  #encoding({ old, now }: Pair, side: Side): void {
    for (const name of namesOf({ old, now })) {
      const [was, is] = [below(old, name), below(now, name)];
      if (isEqual(withoutText(was.value), withoutText(is.value))) continue;
      const subject = is.value === undefined ? was : is;
      this.#report(
        "major",
        subject,
        `the encoding of \`${name}\` is another`,
        "it is no longer read as it is written",
        sideName(side),
      );
    }
  }

  #responses(responses: Pair, side: Side): void {
    const statuses = (at: Place): string[] =>
      entriesOf(at.value)
        .map(([status]) => status)
        .filter((status) => !status.startsWith("x-"));
    const [olds, nows] = [statuses(responses.old), statuses(responses.now)];
    for (const status of olds) {
      const old = resolved(below(responses.old, status));
      const successor = coveringStatus(status, nows);
      if (successor !== undefined) {
        this.#response({ old, now: resolved(below(responses.now, successor)) }, side);
        continue;
      }
      // Nobody is broken by a failure that no longer happens.
      const isFailure = /^[45]/.test(status);
      const impact = isFailure && side === "received" ? "minor" : "major";
      const meaning =
        impact === "minor" ? "callers wait for it in vain" : "callers that handle it get another";
      this.#report(
        impact,
        below(responses.old, status),
        `response ${status} is gone`,
        meaning,
        sideName(side),
      );
    }
    for (const status of nows) {
      if (olds.includes(status)) continue;
      const now = resolved(below(responses.now, status));
      const predecessor = coveringStatus(status, olds);
      if (predecessor !== undefined)
        this.#response({ old: resolved(below(responses.old, predecessor)), now }, side);
      const meaning = "callers may meet it";
      this.#report(
        "minor",
        below(responses.now, status),
        `response ${status} is new`,
        meaning,
        sideName(side),
      );
    }
  }

  #response(pair: Pair, side: Side): void {
    this.#headers(child(pair, "headers"), side);
    this.#links(child(pair, "links"));
    const content = child(pair, "content");
    const [olds, nows] = [entriesOf(content.old.value), entriesOf(content.now.value)];
    if (olds.length > 0 && nows.length === 0)
      this.#report(
        "major",
        pair.now,
        "the response's content is gone",
        "callers that read it find nothing",
        sideName(side),
      );
    else this.#mediaTypes(content, side);
  }

  #headers(headers: Pair, side: Side): void {
    const olds = headersOf(headers.old);
    const nows = headersOf(headers.now);
    for (const [name, old] of olds) {
      const now = nows.get(name);
      if (now === undefined)
        this.#report(
          "major",
          old,
          `header ${name} is gone`,
          "callers that read it find nothing",
          sideName(side),
        );
      else this.#header({ old, now }, name, side);
    }
    for (const [name, now] of nows) {
      if (olds.has(name)) continue;
      const impact = side === "sent" && isTrue(now, "required") ? "major" : "minor";
      this.#report(impact, now, `header ${name} is new`, "callers may read it", sideName(side));
    }
  }

  #header(pair: Pair, name: string, side: Side): void {
    const [was, is] = [isTrue(pair.old, "required"), isTrue(pair.now, "required")];
    if (was !== is) {
      const isLoss = side === "sent" ? is : was;
      const message = `header ${name} is ${is ? "now" : "no longer"} required`;
      const meaning = isLoss ? "callers that count on it may find nothing" : "callers may count on it";
      this.#report(isLoss ? "major" : "minor", pair.now, message, meaning, sideName(side));
    }
    this.#deprecation(pair);
    this.#serialisation(pair, side);
    const [wasContent, isContent] = [pair.old, pair.now].map(
      (each) => valueAt(each.value, "/content") !== undefined,
    );
    if (wasContent !== isContent)
      this.#report(
        "major",
        pair.now,
        `header ${name} is written in another form`,
        "it is no longer read as it is written",
        sideName(side),
      );
    else if (isContent) this.#mediaTypes(child(pair, "content"), side);
    else this.#schema(child(pair, "schema"), side);
  }

  #links(links: Pair): void {
    for (const name of namesOf(links)) {
      const pair = resolvedPair(child(links, name));
      if (pair.old.value === undefined)
        this.#report("minor", pair.now, `link ${name} is new`, "callers may follow it", "response");
      else if (!isEqual(withoutText(pair.old.value), withoutText(pair.now.value)))
        this.#report(
          "major",
          pair.now.value === undefined ? pair.old : pair.now,
          `link ${name} is ${pair.now.value === undefined ? "gone" : "another"}`,
          "callers that follow it go astray",
          "response",
        );
    }
  }

  #schema(pair: Pair, side: Side): void {
    for (const { near, ...change } of this.#schemas.changes(pair.old, pair.now, side)) {
      this.#found.push({
        ...change,
        location: this.#after.locate(near),
        side: sideName(side),
        operations: this.#operation === undefined ? [] : [this.#operation],
      });
    }
  }

  #servers(operation: Pair, item: Pair): void {
    const serversOf = (own: Place, around: Place): { at: Place; url: string; value: Json }[] => {
      const at = [own, around, place(own.spec, "")]
        .map((each) => below(each, "servers"))
        .find((each) => Array.isArray(each.value) && each.value.length > 0);
      if (at === undefined || !Array.isArray(at.value))
        return [{ at: place(own.spec, ""), url: "/", value: {} }];
      return at.value.flatMap((value, index) =>
        isObject(value) && typeof value.url === "string"
          ? [{ at: below(at, index), url: value.url, value }]
          : [],
      );
    };
    const olds = serversOf(operation.old, item.old);
    const nows = serversOf(operation.now, item.now);
    const operationOnly = this.#operation;
    // A server of the whole document is one change, whatever number of operations it serves.
    this.#operation = undefined;
    for (const { at, url, value } of olds) {
      const now = nows.find((each) => each.url === url);
      if (now === undefined)
        this.#report("major", at, `server ${url} is gone`, "calls to it find nothing", "document");
      else
        this.#serverVariables(
          { old: below(at, "variables"), now: below(now.at, "variables") },
          value,
          now.value,
        );
    }
    for (const { at, url } of nows) {
      if (!olds.some((each) => each.url === url))
        this.#report("minor", at, `server ${url} is new`, "callers may call it", "document");
    }
    this.#operation = operationOnly;
  }

  #serverVariables(variables: Pair, old: Json, now: Json): void {
    for (const [name, was] of entriesOf(valueAt(old, "/variables"))) {
      const is = valueAt(now, pointerTo("/variables", name));
      const at = below(variables.now, name);
      if (valueAt(was, "/default") !== valueAt(is, "/default"))
        this.#report(
          "major",
          at,
          `the default of server variable ${name} is another`,
          "calls go elsewhere",
          "document",
        );
      const values = textsOf(valueAt(is, "/enum"));
      const lost = textsOf(valueAt(was, "/enum")).filter(
        (value) => values.length > 0 && !values.includes(value),
      );
      const isClosed = values.length > 0 && valueAt(was, "/enum") === undefined;
      const isWider = values.some((value) => !textsOf(valueAt(was, "/enum")).includes(value));
      if (isWider && !isClosed)
        this.#report(
          "minor",
          at,
          `server variable ${name} takes more values`,
          "callers may use them",
          "document",
        );
      if (lost.length > 0 || isClosed)
        this.#report(
          "major",
          at,
          `server variable ${name} takes fewer values`,
          "calls to the others find nothing",
          "document",
        );
    }
  }

  #dialect({ old, now }: Pair): void {
    const [was, is] = [old, now].map((each) => valueAt(each.value, "/jsonSchemaDialect"));
    if (was !== is)
      this.#report(
        "major",
        is === undefined ? old : below(now, "jsonSchemaDialect"),
        "the dialect of all schemas is another",
        "what they say cannot be shown compatible",
        "document",
      );
  }

  /** Differences that no value on the wire shows: words, examples, names, and what is kept where. */
  #wording(): Change[] {
    const reported = new Set(this.#found.map(({ pointer }) => pointer));
    const changes: Change[] = [];
    const differ = (old: Json | undefined, now: Json | undefined, pointer: string): void => {
      if (isEqual(old, now) || reported.has(pointer) || isVersion(pointer)) return;
      if (isObject(old) && isObject(now)) {
        for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
          differ(old[name], now[name], pointerTo(pointer, name));
        return;
      }
      if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
        for (const [index, item] of old.entries()) differ(item, now[index], pointerTo(pointer, index));
        return;
      }
      const what = now === undefined ? "is gone" : old === undefined ? "is new" : "is worded anew";
      changes.push({
        impact: "patch",
        pointer,
        isGone: now === undefined,
        location: this.#after.locate(pointer),
        side: "document",
        message: `${pointer} ${what}`,
        meaning: "nothing changes on the wire",
        isCertain: true,
        operations: [],
      });
    };
    differ(this.#before.document, this.#after.document, "");
    return changes;
  }
}

/** Of the interface, which the verdict looks at, or of OpenAPI, in which either document may be written. */
function isVersion(pointer: string): boolean {
  return pointer === "/info/version" || pointer === "/openapi";
}

function child({ old, now }: Pair, name: string): Pair {
  return { old: below(old, name), now: below(now, name) };
}

function resolvedPair({ old, now }: Pair): Pair {
  return { old: resolved(old), now: resolved(now) };
}

function namesOf({ old, now }: Pair): Set<string> {
  return new Set(
    [...entriesOf(old.value), ...entriesOf(now.value)]
      .map(([name]) => name)
      .filter((name) => !name.startsWith("x-")),
  );
}

function sideName(side: Side): "request" | "response" {
  return side === "sent" ? "request" : "response";
}

function isTrue(at: Place, keyword: string): boolean {
  return isObject(at.value) && at.value[keyword] === true;
}

/** A path without the names of its parameters, which callers never write. */
function routeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** Whether calls that an older path stands for go to the new one, which OpenAPI 3.1, section 4.8.8.2, matches first. */
function takesFrom(path: string, old: string): boolean {
  const [segments, olds] = [path.split("/"), old.split("/")];
  if (segments.length !== olds.length) return false;
  const isTemplate = (segment: string): boolean => segment.includes("{");
  const pairs = segments.map((segment, index) => [segment, olds[index] ?? ""] as const);
  return (
    pairs.every(([now, was]) => now === was || isTemplate(now) || isTemplate(was)) &&
    pairs.some(([now, was]) => !isTemplate(now) && isTemplate(was))
  );
}

function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
}

/** @param renamed the newer names of path parameters */
function parametersOf(
  item: Place,
  operation: Place,
  renamed: ReadonlyMap<string, string> = new Map(),
): Map<string, Place> {
  const parameters = new Map<string, Place>();
  for (const holder of [item, operation]) {
    const list = below(holder, "parameters");
    if (!Array.isArray(list.value)) continue;
    for (const index of list.value.keys()) {
      const at = resolved(below(list, index));
      const [name, location] = [valueAt(at.value, "/name"), valueAt(at.value, "/in")];
      if (typeof name !== "string" || typeof location !== "string") continue;
      if (location === "header" && ignoredHeaders.has(name.toLowerCase())) continue;
      const known =
        location === "header" ? name.toLowerCase() : location === "path" ? (renamed.get(name) ?? name) : name;
      parameters.set(`${location} ${known}`, at);
    }
  }
  return parameters;
}

function nameOf(parameter: Place): string {
  const name = valueAt(parameter.value, "/name");
  return name === undefined ? "the header" : `${valueAt(parameter.value, "/in")} parameter ${name}`;
}

function isScalarStyle(was: string | undefined, is: string | undefined): boolean {
  return was?.includes(",") !== is?.includes(",");
}

function headersOf(headers: Place): Map<string, Place> {
  return new Map(
    entriesOf(headers.value)
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name]) => [name.toLowerCase(), resolved(below(headers, name))]),
  );
}

/** The media type of a list that takes what a media type or range names, as the most specific does. */
function covering(name: string, list: readonly string[]): string | undefined {
  const own = parsedType(name);
  const isMet = (each: string): boolean =>
    parsedType(each).parameters.every((parameter) => own.parameters.includes(parameter));
  const ofEssence = (essence: string): string | undefined =>
    list
      .filter((each) => parsedType(each).essence === essence && isMet(each))
      .toSorted((a, b) => parsedType(b).parameters.length - parsedType(a).parameters.length)[0];
  return (
    list.find((each) => each === name) ??
    ofEssence(own.essence) ??
    ofEssence(`${own.essence.split("/")[0]}/*`) ??
    ofEssence("*/*")
  );
}

/** The character set is no part of what content is: JSON and forms have but one (RFC 8259, section 8.1). */
function parsedType(name: string): { essence: string; parameters: string[] } {
  const [essence = "", ...parameters] = name.split(";").map((each) => each.trim().toLowerCase());
  return { essence, parameters: parameters.filter((each) => each !== "" && !each.startsWith("charset=")) };
}

function coveringStatus(status: string, list: readonly string[]): string | undefined {
  return [status, `${status[0]}XX`, "default"].find((each) => list.includes(each));
}

/** Without annotations, which say nothing to a program. */
function withoutText(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => !isAnnotation(keyword)));
}
