/**
 * The wire verdict: compares two OpenAPI documents and reports each difference by what it means for callers that were
 * written for the older one.
 */
import { entriesOf, isObject, type Json, valueAt } from "../openapi/document.ts";
import { methods } from "../openapi/grammar.ts";
import { isAnnotation } from "./annotations.ts";
import { type Change, gathered } from "./changes.ts";
import { coveringMediaType, coveringStatus } from "./covering.ts";
import { below, isEqual, nodeAt, type Side, type SpecNode } from "./facts.ts";
import {
  type Consequence,
  child,
  namesOf,
  type Pair,
  pairsOf,
  type ReportChange,
  resolvedPair,
} from "./pair.ts";
import { headersOf, parametersOf, shownStyle, styleOf } from "./parameter-writing.ts";
import { pathsIn, routeOf, takesFrom, templateNames } from "./path-templates.ts";
import { SchemaComparison } from "./schemas.ts";
import { securityChanges } from "./security-changes.ts";
import { serverChanges } from "./server-changes.ts";
import type { Spec } from "./spec.ts";
import { wordingChanges } from "./wording-changes.ts";

const notFound: Consequence = ["major", "calls to it find nothing"];
const notCalled: Consequence = ["major", "callers wait for it in vain"];
const notRead: Consequence = ["major", "callers that read it find nothing"];
const notAccepted: Consequence = ["major", "callers that send it are refused or not heard"];
const missed: Consequence = ["major", "requests without it are refused"];
const misread: Consequence = ["major", "it is no longer read as it is written"];
const callable: Consequence = ["minor", "callers may call it"];
const usable: Consequence = ["minor", "callers may use it"];

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
    const root: Pair = { old: nodeAt(this.#before, ""), now: nodeAt(this.#after, "") };
    this.#paths(child(root, "paths"));
    this.#webhooks(child(root, "webhooks"));
    this.#responses(child(root, "x-unmatched-responses"), "received");
    this.#dialect(root);
    const reported = new Set(this.#found.map(({ pointer }) => pointer));
    return gathered([...this.#found, ...wordingChanges(this.#before, this.#after, reported)]);
  }

  readonly #report: ReportChange = (subject, message, [impact, meaning], side) => {
    // A change of the whole document counts once, however many operations it concerns.
    const operation = side === "document" ? undefined : this.#operation;
    this.#found.push({
      impact,
      pointer: subject.pointer,
      isGone: subject.spec === this.#before,
      location: this.#after.locate(subject.pointer),
      side,
      message,
      meaning,
      isCertain: true,
      operations: operation === undefined ? [] : [operation],
    });
  };

  /** Reports what only one of the documents has. Returns whether both have it. */
  #isInBoth(
    { old, now }: Pair,
    name: string,
    side: Change["side"],
    ifGone: Consequence,
    ifNew: Consequence,
  ): boolean {
    if (old.value !== undefined && now.value !== undefined) return true;
    if (old.value !== undefined) this.#report(old, `${name} is gone`, ifGone, side);
    if (now.value !== undefined) this.#report(now, `${name} is new`, ifNew, side);
    return false;
  }

  #paths(paths: Pair): void {
    const olds = new Map(pathsIn(paths.old).map((path) => [routeOf(path), path]));
    const nows = new Map(pathsIn(paths.now).map((path) => [routeOf(path), path]));
    for (const [route, path] of olds) {
      const old = below(paths.old, path);
      const successor = nows.get(route);
      this.#operation = path;
      if (successor === undefined) this.#report(old, `path ${path} is gone`, notFound, "operation");
      else this.#pathItem(resolvedPair({ old, now: below(paths.now, successor) }), path, successor);
    }
    for (const [route, path] of nows) {
      if (olds.has(route)) continue;
      this.#operation = path;
      const shadowed = [...olds.values()].filter((old) => takesFrom(path, old));
      // Ids rarely equal such a word, so a new path counts as compatible. The report warns of it.
      const warning =
        shadowed.length === 0 ? "" : `; those that called it as ${shadowed.join(", ")} get another operation`;
      const consequence: Consequence = ["minor", `callers may call it${warning}`];
      this.#report(below(paths.now, path), `path ${path} is new`, consequence, "operation");
    }
    this.#operation = undefined;
  }

  #pathItem(pair: Pair, oldPath: string, path: string): void {
    const names = new Map<string, string>();
    const [olds, nows] = [templateNames(oldPath), templateNames(path)];
    for (const [index, name] of olds.entries()) names.set(name, nows[index] ?? name);
    for (const method of methods) {
      const operation = child(pair, method);
      const name = `${method.toUpperCase()} ${path}`;
      this.#operation = name;
      if (this.#isInBoth(operation, name, "operation", ["major", "calls to it are refused"], callable))
        this.#operationPair(operation, pair, names, "sent");
    }
  }

  /** @param side who sends the request: the caller, unless the service calls back */
  #operationPair(operation: Pair, item: Pair, names: ReadonlyMap<string, string>, side: Side): void {
    const other: Side = side === "sent" ? "received" : "sent";
    this.#deprecation(operation);
    this.#parameters(operation, item, names, side);
    this.#body(child(operation, "requestBody"), side);
    this.#responses(child(operation, "responses"), other);
    if (side === "sent") {
      securityChanges(this.#before, this.#after, operation, this.#report);
      serverChanges(operation, item, this.#report);
    }
    this.#callbacks(child(operation, "callbacks"));
  }

  #deprecation({ old, now }: Pair): void {
    if (isTrue(now, "deprecated") && !isTrue(old, "deprecated"))
      this.#report(now, "is deprecated now", ["minor", "callers should leave it in time"], "operation");
  }

  #webhooks(webhooks: Pair): void {
    for (const name of namesOf(webhooks)) {
      const pair = resolvedPair(child(webhooks, name));
      const label = `webhook ${name}`;
      if (this.#isInBoth(pair, label, "operation", notCalled, ["minor", "callers may take it"]))
        this.#calledBack(pair, label);
    }
  }

  #callbacks(callbacks: Pair): void {
    for (const name of namesOf(callbacks)) {
      const pair = resolvedPair(child(callbacks, name));
      for (const expression of namesOf(pair)) {
        const item = resolvedPair(child(pair, expression));
        const label = `callback ${name} ${expression}`;
        if (this.#isInBoth(item, label, "operation", notCalled, ["minor", "callers may be called there"]))
          this.#calledBack(item, label);
      }
    }
  }

  #calledBack(item: Pair, label: string): void {
    const unexpected: Consequence = ["major", "callers do not expect it"];
    for (const method of methods) {
      const operation = child(item, method);
      if (this.#isInBoth(operation, `${label}: ${method}`, "operation", notCalled, unexpected))
        this.#operationPair(operation, item, new Map(), "received");
    }
  }

  #parameters(operation: Pair, item: Pair, names: ReadonlyMap<string, string>, side: Side): void {
    const olds = parametersOf(item.old, operation.old, names);
    const nows = parametersOf(item.now, operation.now);
    for (const [key, pair] of pairsOf(olds, nows)) {
      const isMissed = side === "sent" && isTrue(pair.now, "required");
      if (pair.old.value === undefined && isMissed)
        this.#report(pair.now, `${key} parameter is new and required`, missed, "request");
      else {
        const ifGone = side === "sent" ? notAccepted : notRead;
        if (this.#isInBoth(pair, `${key} parameter`, sideName(side), ifGone, usable))
          this.#parameter(pair, side);
      }
    }
  }

  #parameter(pair: Pair, side: Side): void {
    const { old, now } = pair;
    const label = `${valueAt(now.value, "/in")} parameter ${valueAt(now.value, "/name")}`;
    this.#requirement(pair, label, side);
    for (const [flag, lost] of [
      ["allowEmptyValue", "an empty value is refused now"],
      ["allowReserved", "reserved characters must be escaped now"],
    ] as const) {
      const [was, is] = [isTrue(old, flag), isTrue(now, flag)];
      const consequence: Consequence = was ? ["major", lost] : ["minor", "callers may do so now"];
      if (was !== is) this.#report(now, `${label}: \`${flag}\` is ${is}`, consequence, sideName(side));
    }
    this.#writing(pair, label, side);
  }

  #requirement({ old, now }: Pair, label: string, side: Side): void {
    const [was, is] = [isTrue(old, "required"), isTrue(now, "required")];
    if (is && !was) {
      const consequence: Consequence = side === "sent" ? missed : ["minor", "callers may count on it"];
      this.#report(below(now, "required"), `${label} is now required`, consequence, sideName(side));
    }
    if (was && !is) {
      const consequence: Consequence =
        side === "sent"
          ? ["minor", "callers may leave it out"]
          : ["major", "callers that count on it may find nothing"];
      this.#report(now, `${label} is no longer required`, consequence, sideName(side));
    }
  }

  #writing(pair: Pair, label: string, side: Side): void {
    this.#deprecation(pair);
    const [wasContent, isContent] = [pair.old, pair.now].map(({ value }) => valueAt(value, "/content"));
    const [was, is] = [styleOf(pair.old), styleOf(pair.now)];
    const isExploded = was.explode !== undefined && is.explode !== undefined;
    if (was.style !== is.style || (isExploded && was.explode !== is.explode)) {
      const message = `${label}: style was ${shownStyle(was)}, is ${shownStyle(is)}`;
      this.#report(pair.now, message, ["major", "values are written in another way"], sideName(side));
    }
    if ((wasContent === undefined) !== (isContent === undefined))
      this.#report(pair.now, `${label} is written in another form`, misread, sideName(side));
    else if (isContent !== undefined) this.#mediaTypes(child(pair, "content"), side);
    else this.#schema(child(pair, "schema"), side);
  }

  #body(bodies: Pair, side: Side): void {
    const pair = resolvedPair(bodies);
    const ifGone = side === "sent" ? notAccepted : notRead;
    const ifNew = side === "sent" && isTrue(pair.now, "required") ? missed : usable;
    if (!this.#isInBoth(pair, "the content", sideName(side), ifGone, ifNew)) return;
    this.#requirement(pair, "the content", side);
    this.#mediaTypes(child(pair, "content"), side);
  }

  #mediaTypes(content: Pair, side: Side): void {
    const nows = entriesOf(content.now.value).map(([name]) => name);
    const olds = entriesOf(content.old.value).map(([name]) => name);
    for (const name of olds) {
      const successor = coveringMediaType(name, nows);
      const old = below(content.old, name);
      if (successor === undefined) {
        const meaning =
          side === "sent" ? "content of it is refused" : "callers that ask for it or read it get another";
        this.#report(old, `media type ${name} is gone`, ["major", meaning], sideName(side));
        continue;
      }
      const pair = { old, now: below(content.now, successor) };
      this.#schema(child(pair, "schema"), side);
      this.#encoding(child(pair, "encoding"), side);
    }
    for (const name of nows) {
      if (coveringMediaType(name, olds) !== undefined) continue;
      const meaning = side === "sent" ? "callers may send it" : "callers may ask for it";
      this.#report(below(content.now, name), `media type ${name} is new`, ["minor", meaning], sideName(side));
    }
  }

  #encoding(encoding: Pair, side: Side): void {
    for (const name of namesOf(encoding)) {
      const { old, now } = child(encoding, name);
      if (isSameButText(old.value, now.value)) continue;
      const subject = now.value === undefined ? old : now;
      this.#report(subject, `the encoding of \`${name}\` is another`, misread, sideName(side));
    }
  }

  #responses(responses: Pair, side: Side): void {
    const statuses = ({ value }: SpecNode): string[] =>
      entriesOf(value).flatMap(([status]) => (status.startsWith("x-") ? [] : [status]));
    const [olds, nows] = [statuses(responses.old), statuses(responses.now)];
    for (const status of olds) {
      const old = below(responses.old, status);
      const successor = coveringStatus(status, nows);
      // An error response that no longer occurs breaks no caller.
      const isHarmless = /^[45]/.test(status) && side === "received";
      const consequence: Consequence = isHarmless
        ? ["minor", "callers wait for it in vain"]
        : ["major", "callers that handle it get another"];
      if (successor === undefined)
        this.#report(old, `response ${status} is gone`, consequence, sideName(side));
      else this.#response(resolvedPair({ old, now: below(responses.now, successor) }), side);
    }
    for (const status of nows) {
      if (olds.includes(status)) continue;
      const now = below(responses.now, status);
      const predecessor = coveringStatus(status, olds);
      if (predecessor !== undefined)
        this.#response(resolvedPair({ old: below(responses.old, predecessor), now }), side);
      this.#report(now, `response ${status} is new`, ["minor", "callers may meet it"], sideName(side));
    }
  }

  #response(pair: Pair, side: Side): void {
    this.#headers(child(pair, "headers"), side);
    this.#links(child(pair, "links"));
    const content = child(pair, "content");
    if (entriesOf(content.old.value).length > 0 && entriesOf(content.now.value).length === 0)
      this.#report(pair.now, "the response's content is gone", notRead, sideName(side));
    else this.#mediaTypes(content, side);
  }

  #headers(headers: Pair, side: Side): void {
    for (const [name, pair] of pairsOf(headersOf(headers.old), headersOf(headers.now))) {
      const label = `header ${name}`;
      const isMissed = side === "sent" && isTrue(pair.now, "required");
      const ifNew: Consequence = isMissed ? missed : ["minor", "callers may read it"];
      if (!this.#isInBoth(pair, label, sideName(side), notRead, ifNew)) continue;
      this.#requirement(pair, label, side);
      this.#writing(pair, label, side);
    }
  }

  #links(links: Pair): void {
    const astray: Consequence = ["major", "callers that follow it go astray"];
    for (const name of namesOf(links)) {
      const pair = resolvedPair(child(links, name));
      const label = `link ${name}`;
      const isInBoth = this.#isInBoth(pair, label, "response", astray, ["minor", "callers may follow it"]);
      if (isInBoth && !isSameButText(pair.old.value, pair.now.value))
        this.#report(pair.now, `${label} is another`, astray, "response");
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

  #dialect({ old, now }: Pair): void {
    const [was, is] = [old, now].map((each) => valueAt(each.value, "/jsonSchemaDialect"));
    if (was === is) return;
    const subject = is === undefined ? old : below(now, "jsonSchemaDialect");
    const consequence: Consequence = ["major", "what they say cannot be shown compatible"];
    this.#report(subject, "the dialect of all schemas is another", consequence, "document");
  }
}

function sideName(side: Side): "request" | "response" {
  return side === "sent" ? "request" : "response";
}

function isTrue(at: SpecNode, keyword: string): boolean {
  return isObject(at.value) && at.value[keyword] === true;
}

function isSameButText(old: Json | undefined, now: Json | undefined): boolean {
  return isEqual(withoutText(old), withoutText(now));
}

function withoutText(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([keyword]) => !isAnnotation(keyword)));
}
