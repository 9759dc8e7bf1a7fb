/**
 * The wire verdict. It visits each place of two OpenAPI documents and applies the rules to it. It reports what each
 * difference means for callers of the older document.
 */
import { matchType } from "#specbind/media-type";
import { entriesOf, listOf, pointerTo, tokensOf, valueAt } from "../openapi/document.ts";
import { methods, operationsIn } from "../openapi/grammar.ts";
import { type Direction, placeAt, placeBelow, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { isTwin, twinOf } from "../openapi/twins.ts";
import { type Change, gathered } from "./changes.ts";
import type { TextForm } from "./containment/text-gaps.ts";
import { keywordsOf, resolved } from "./facts.ts";
import { child, namesOf, type Pair, pairsOf, resolvedPair } from "./pair.ts";
import { pairedPaths, renamedParameters } from "./path-templates.ts";
import { rulesByPlace } from "./rules/index.ts";
import { keyOf } from "./rules/rule.ts";
import { withSameMeaning } from "./same-meaning.ts";
import { SchemaComparison } from "./schemas.ts";
import { headersOf, parametersOf, styleOf } from "./serialization.ts";
import { basesOf, serversOf, variablesOf } from "./servers.ts";
import type { Spec } from "./spec.ts";
import { renamedPaths } from "./types/type-view.ts";
import { Unchanged } from "./unchanged.ts";
import { wordingChanges } from "./wording-changes.ts";

type Place = keyof typeof rulesByPlace;

/** A schema for which `explode` has an effect. */
const list = { type: "array" };
const ofOperation: readonly Place[] = ["path", "operation", "callback", "callbackMethod"];
const ofDocument: readonly Place[] = ["document", "server", "serverVariable"];

/** @param alike both documents, after `withSameMeaning` */
export function wireChanges(before: Spec, after: Spec, alike = withSameMeaning(before, after)): Change[] {
  const found = new WireComparison(...alike).changes();
  // A renamed path parameter breaks only callers' code, so the comparison of types reports it.
  const renamed = renamedPaths(before, after).flatMap(({ old, now }) => [old, now]);
  const inTwin = (pointer: string): string[] => {
    const [get = ""] = /^\/paths\/[^/]+\/get(?=\/)/.exec(pointer) ?? [];
    const twin = twinOf(after.document, get);
    return twin === undefined ? [] : [twin.pointer + pointer.slice(get.length)];
  };
  const reported = [
    ...found.flatMap(({ pointer }) => [pointer, ...inTwin(pointer)]),
    ...renamed.map((path) => pointerTo("/paths", path)),
  ];
  return gathered([...found, ...wordingChanges(before, after, reported)]);
}

class WireComparison {
  readonly #before: Spec;
  readonly #after: Spec;
  readonly #schemas: SchemaComparison;
  readonly #unchanged: Unchanged;
  readonly #found: Change[] = [];
  #operation: string | undefined;
  /** The status of the response that is compared now. */
  #statuses: readonly string[] = [];

  constructor(before: Spec, after: Spec) {
    this.#before = before;
    this.#after = after;
    this.#unchanged = new Unchanged(before.document, after.document);
    this.#schemas = new SchemaComparison(before, after, this.#unchanged);
  }

  changes(): Change[] {
    const root: Pair = { old: placeAt(this.#before.document, ""), now: placeAt(this.#after.document, "") };
    this.#visit("document", root, "the document");
    this.#paths(child(root, "paths"));
    for (const name of namesOf(child(root, "webhooks")))
      this.#callback(resolvedPair(child(child(root, "webhooks"), name)), `webhook ${name}`);
    this.#responses(child(root, "x-unmatched-responses"), "response");
    return this.#found;
  }

  /** Applies the rules of a place. Returns whether both documents have the place. */
  #visit(place: Place, pair: Pair, label: string, side: Direction = "request"): boolean {
    const changeSide = ofOperation.includes(place)
      ? "operation"
      : ofDocument.includes(place)
        ? "document"
        : side;
    // A change of the whole document is reported once, even if it affects many operations.
    const operations = changeSide === "document" || this.#operation === undefined ? [] : [this.#operation];
    for (const { id, check } of rulesByPlace[place]) {
      for (const { impact, at, message, meaning } of [check({ ...pair, label, side }) ?? []].flat())
        this.#found.push({
          rule: id,
          impact,
          pointer: at.pointer,
          isGone: at.document === this.#before.document,
          ...this.#locations(at.pointer, at.document === this.#before.document),
          statuses: this.#statuses,
          side: changeSide,
          message,
          meaning,
          isCertain: true,
          operations,
        });
    }
    return pair.old.value !== undefined && pair.now.value !== undefined;
  }

  #locations(pointer: string, isGone: boolean, nearest = pointer): Pick<Change, "location" | "near"> {
    const near = this.#after.locate(nearest);
    return { location: isGone ? this.#before.locate(pointer) : near, near };
  }

  #paths({ old, now }: Pair): void {
    const bases = basesOf(old.document, now.document);
    for (const pair of pairedPaths(old.document, now.document, bases)) {
      const path = pair.now ?? pair.old ?? "";
      const oldPath = pair.old ?? path;
      const places = { old: placeBelow(old, oldPath), now: placeBelow(now, path) };
      this.#operation = path;
      if (!this.#visit("path", places, `path ${path}`)) continue;
      const item = resolvedPair(places);
      const renamed = renamedParameters(oldPath, path);
      const operations = [...operationsIn(item.old.value), ...operationsIn(item.now.value)];
      for (const [method, pointer] of new Map(operations.map((each) => [each.method, each.pointer]))) {
        const operation = tokensOf(pointer).reduce(child, item);
        this.#operation = `${method} ${path}`;
        if (!this.#visit("operation", operation, this.#operation)) continue;
        // Everything else of a twin is equal to its GET, in both documents.
        if (isTwin(operation.old.value) && isTwin(operation.now.value)) continue;
        if (oldPath !== path || !this.#isUnchanged(operation, item))
          this.#exchange(operation, item, "request", renamed);
        this.#visit("security", operation, "security");
        this.#servers(operation, item, bases);
      }
    }
    this.#operation = undefined;
  }

  #servers(operation: Pair, item: Pair, bases: readonly string[]): void {
    const olds = serversOf(operation.old, item.old, bases[0]);
    const nows = serversOf(operation.now, item.now, bases[1]);
    const urlsIn = (servers: typeof olds) => new Set([...servers.values()].flatMap(({ urls }) => urls));
    const [oldUrls, nowUrls] = [urlsIn(olds), urlsIn(nows)];
    for (const [url, server] of pairsOf(olds, nows)) {
      // Another server of the other document has all its URLs.
      if (!olds.has(url) && nows.get(url)?.urls.every((each) => oldUrls.has(each))) continue;
      if (!nows.has(url) && olds.get(url)?.urls.every((each) => nowUrls.has(each))) continue;
      const label = `server ${valueAt((server.now.value ? server.now : server.old).value, "/url") ?? url}`;
      if (!this.#visit("server", server, label)) continue;
      const names = variablesOf(server.now);
      for (const [index, name] of variablesOf(server.old).entries()) {
        const [old, now] = [
          placeBelow(server.old, "variables", name),
          placeBelow(server.now, "variables", names[index] ?? name),
        ];
        this.#visit("serverVariable", { old, now }, `server variable ${name}`);
      }
    }
  }

  #isUnchanged({ old, now }: Pair, item: Pair): boolean {
    const parametersOf = ({ value }: SchemaPlace) => valueAt(value, "/parameters");
    return (
      this.#unchanged.of(old.value, now.value) &&
      this.#unchanged.of(parametersOf(item.old), parametersOf(item.now))
    );
  }

  #callback(item: Pair, label: string): void {
    if (!this.#visit("callback", item, label)) return;
    for (const method of methods) {
      const operation = child(item, method);
      if (this.#visit("callbackMethod", operation, `${label}: ${method}`))
        this.#exchange(operation, item, "response");
    }
  }

  /** @param side `request` if the caller sends the request, `response` if the service does, as for a callback */
  #exchange(operation: Pair, item: Pair, side: Direction, renamed?: ReadonlyMap<string, string>): void {
    const parameters = pairsOf(
      parametersOf(item.old, operation.old, renamed),
      parametersOf(item.now, operation.now),
    );
    for (const pair of parameters.values()) {
      const { value } = pair.now.value === undefined ? pair.old : pair.now;
      const label = `${valueAt(value, "/in")} parameter \`${valueAt(value, "/name")}\``;
      if (this.#visit("parameter", pair, label, side)) this.#values(pair, side);
    }
    const body = resolvedPair(child(operation, "requestBody"));
    if (this.#visit("body", body, "the body", side)) this.#mediaTypes(child(body, "content"), side);
    this.#responses(child(operation, "responses"), side === "request" ? "response" : "request");
    const callbacks = child(operation, "callbacks");
    for (const name of namesOf(callbacks)) {
      const callback = resolvedPair(child(callbacks, name));
      for (const url of namesOf(callback))
        this.#callback(resolvedPair(child(callback, url)), `callback ${name} ${url}`);
    }
  }

  /** The values of a parameter or a header. */
  #values(pair: Pair, side: Direction): void {
    const [was, is] = [pair.old, pair.now].map(({ value }) => valueAt(value, "/content") !== undefined);
    if (was !== is) return;
    if (is) this.#mediaTypes(child(pair, "content"), side);
    else {
      const { explode } = styleOf({ ...pair.now, value: { ...Object(pair.now.value), schema: list } });
      this.#schema(child(pair, "schema"), side, explode === true ? "exploded" : "single");
    }
  }

  #mediaTypes(content: Pair, side: Direction): void {
    const [olds = [], nows = []] = [content.old, content.now].map(({ value }) =>
      entriesOf(value).map(([name]) => name),
    );
    for (const name of olds) {
      const old = placeBelow(content.old, name);
      const now = placeBelow(content.now, coveringMediaType(name, nows) ?? name);
      const pair = resolvedPair({ old, now });
      if (!this.#visit("mediaType", pair, `media type ${name}`, side)) continue;
      const [listed, sequence] = [child(pair, "schema"), child(pair, "itemSchema")];
      const items = { old: itemsOf(pair.old), now: itemsOf(pair.now) };
      const isRewritten = (sequence.old.value === undefined) !== (sequence.now.value === undefined);
      if (isRewritten && items.old !== undefined && items.now !== undefined)
        this.#schema({ old: items.old, now: items.now }, side);
      else for (const each of [listed, sequence]) this.#schema(each, side, textFormOf(pair));
      this.#encodings(pair, side);
    }
    for (const name of nows)
      if (coveringMediaType(name, olds) === undefined)
        this.#visit("mediaType", child(content, name), `media type ${name}`, side);
  }

  #encodings(mediaType: Pair, side: Direction): void {
    const visit = (pair: Pair, part: string): void =>
      void this.#visit("encoding", pair, `the encoding of ${part}`, side);
    const named = child(mediaType, "encoding");
    for (const name of namesOf(named)) visit(child(named, name), `\`${name}\``);
    const first = child(mediaType, "prefixEncoding");
    const length = Math.max(...[first.old, first.now].map(({ value }) => listOf(value).length));
    for (let index = 0; index < length; index += 1) visit(child(first, String(index)), `part ${index + 1}`);
    visit(child(mediaType, "itemEncoding"), "the parts");
  }

  #responses(responses: Pair, side: Direction): void {
    const statuses = ({ value }: SchemaPlace): string[] =>
      entriesOf(value).flatMap(([status]) => (status.startsWith("x-") ? [] : [status]));
    const [olds, nows] = [statuses(responses.old), statuses(responses.now)];
    for (const status of olds) {
      const now = placeBelow(responses.now, coveringStatus(status, nows) ?? status);
      this.#response({ old: placeBelow(responses.old, status), now }, status, side);
    }
    for (const status of nows.filter((each) => !olds.includes(each))) {
      const predecessor = coveringStatus(status, olds);
      const now = placeBelow(responses.now, status);
      this.#visit("response", { old: placeBelow(responses.old, status), now }, `response ${status}`, side);
      if (predecessor !== undefined)
        this.#response({ old: placeBelow(responses.old, predecessor), now }, status, side);
    }
  }

  #response(responses: Pair, status: string, side: Direction): void {
    if (!this.#visit("response", responses, `response ${status}`, side)) return;
    const outer = this.#statuses;
    this.#statuses = [status];
    this.#contents(resolvedPair(responses), side);
    this.#statuses = outer;
  }

  #contents(pair: Pair, side: Direction): void {
    const headers = child(pair, "headers");
    for (const [name, given] of pairsOf(headersOf(headers.old), headersOf(headers.now))) {
      const isKept = given.old.value !== undefined && given.now.value !== undefined;
      const header = isKept ? resolvedPair(given) : given;
      if (this.#visit("header", header, `header \`${name}\``, side)) this.#values(header, side);
    }
    for (const name of namesOf(child(pair, "links")))
      this.#visit("link", resolvedPair(child(child(pair, "links"), name)), `link ${name}`, side);
    const [old, now] = [contentOf(pair.old), contentOf(pair.now)];
    if (this.#visit("body", { old, now }, "the body", side)) this.#mediaTypes({ old, now }, side);
  }

  #schema(pair: Pair, side: Direction, text?: TextForm): void {
    for (const { nearest, ...change } of this.#schemas.changes(pair.old, pair.now, side, text)) {
      this.#found.push({
        ...change,
        ...this.#locations(change.pointer, change.isGone, nearest),
        statuses: this.#statuses,
        side,
        operations: this.#operation === undefined ? [] : [this.#operation],
      });
    }
  }
}

/** The value of the returned place is undefined if the response has no media types. */
function contentOf(response: SchemaPlace): SchemaPlace {
  const content = placeBelow(response, "content");
  return entriesOf(content.value).length > 0 ? content : { ...content, value: undefined };
}

/** The fields of a form are text, unless their encoding says that they are JSON. */
function textFormOf({ old, now }: Pair): TextForm | undefined {
  const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(keyOf(old));
  const hasJson = [old, now].some(({ value }) =>
    JSON.stringify(valueAt(value, "/encoding") ?? "").includes("json"),
  );
  return isForm && !hasJson ? "exploded" : undefined;
}

/** The schema of the items of a stream. A list without other keywords says the same as `itemSchema` (OpenAPI 3.2). */
function itemsOf(mediaType: SchemaPlace): SchemaPlace | undefined {
  const own = placeBelow(mediaType, "itemSchema");
  if (own.value !== undefined) return own;
  const schema = resolved(placeBelow(mediaType, "schema"));
  const isList = keywordsOf(schema.value).every((keyword) => ["type", "items"].includes(keyword));
  return isList && valueAt(schema.value, "/type") === "array" ? placeBelow(schema, "items") : undefined;
}

/** The most specific media type of a list that includes a media type or range. */
function coveringMediaType(name: string, list: readonly string[]): string | undefined {
  return list.includes(name) ? name : matchType(name, list)?.key;
}

function coveringStatus(status: string, list: readonly string[]): string | undefined {
  return [status, `${status[0]}XX`, "default"].find((each) => list.includes(each));
}
