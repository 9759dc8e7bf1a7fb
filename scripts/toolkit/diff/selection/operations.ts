/** Reduces two documents to the operations that `--path` and `--tag` choose. */

import { nearestWord } from "#specbind/nearest-word";
import { entriesOf, type JsonObject, pointerTo, referenceTarget } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import { placeAt } from "../../openapi/schema/schema-view.ts";
import { resolved, textsOf } from "../facts.ts";
import { pairedPaths, pathsIn } from "../path-templates.ts";
import { basesOf } from "../servers.ts";
import type { Spec } from "../spec.ts";
import { withUsedComponents } from "../unchanged.ts";
import { without } from "../waivers.ts";
import { globPattern } from "./glob.ts";

export interface Selection {
  /** Globs of paths. Without one, all paths are chosen, and webhooks too. */
  readonly paths: readonly string[];
  /** Without a tag, all operations are chosen. */
  readonly tags: readonly string[];
}

/**
 * Returns both documents with the operations that are chosen in one of them, and with the components that these use. What
 * concerns the whole document stays.
 */
export function selectedParts(
  before: Spec,
  after: Spec,
  { paths, tags }: Selection,
): [before: Spec, after: Spec] {
  const patterns = paths.map(globPattern);
  const hasTag = (operation: JsonObject): boolean =>
    tags.length === 0 || textsOf(operation.tags).some((tag) => tags.includes(tag));
  const [left, leftNow]: [string[], string[]] = [[], []];
  for (const { section, old, now } of itemsOf(before, after)) {
    const isChosen =
      patterns.length === 0 ||
      (section === "/paths" &&
        patterns.some((pattern) => [old, now].some((path) => pattern.test(path ?? ""))));
    const places = [
      { spec: before, name: old, left },
      { spec: after, name: now, left: leftNow },
    ].flatMap(({ spec, name, left }) => {
      const place = placeAt(spec.document, pointerTo(section, name ?? ""));
      return name === undefined ? [] : [{ place, operations: operationsIn(resolved(place).value), left }];
    });
    const methods = places.flatMap(({ operations }) =>
      operations.flatMap(({ method, operation }) => (isChosen && hasTag(operation) ? [method] : [])),
    );
    for (const { place, operations, left } of places)
      if (methods.length === 0) left.push(place.pointer);
      else if (referenceTarget(place.value) === undefined)
        for (const { method, pointer } of operations)
          if (!methods.includes(method)) left.push(place.pointer + pointer);
  }
  const reduced = (spec: Spec, pointers: readonly string[]): Spec => {
    const { document } = without(spec, pointers);
    return { ...spec, document: withUsedComponents(document) };
  };
  return [reduced(before, left), reduced(after, leftNow)];
}

function itemsOf(before: Spec, after: Spec) {
  const [old, now] = [before.document, after.document];
  const webhooks = [old, now].flatMap(({ webhooks }) => entriesOf(webhooks).map(([name]) => name));
  return [
    ...pairedPaths(old, now, basesOf(old, now)).map((pair) => ({ section: "/paths", ...pair })),
    ...[...new Set(webhooks)].map((name) => ({ section: "/webhooks", old: name, now: name })),
  ];
}

/** Reports the first glob or tag that no document has, because a misspelled one would hide every change. */
export function unmatched({ paths, tags }: Selection, specs: readonly Spec[]): string | undefined {
  const known = { path: new Set<string>(), tag: new Set<string>() };
  for (const { document } of specs) {
    for (const path of pathsIn(placeAt(document, "/paths"))) known.path.add(path);
    for (const [, item] of [...entriesOf(document.paths), ...entriesOf(document.webhooks)])
      for (const { operation } of operationsIn(resolved({ document, pointer: "", value: item }).value))
        for (const tag of textsOf(operation.tags)) known.tag.add(tag);
  }
  const isKnown = {
    path: (glob: string) => [...known.path].some((path) => globPattern(glob).test(path)),
    tag: (tag: string) => known.tag.has(tag),
  };
  for (const [option, given] of [
    ["path", paths],
    ["tag", tags],
  ] as const)
    for (const each of given)
      if (!isKnown[option](each)) {
        const nearest = nearestWord(each, [...known[option]]);
        const fix = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
        return `no operation has the ${option} \`${each}\`${fix}`;
      }
  return undefined;
}
