/** Reduces two documents to the operations that `--path` and `--tag` choose. */

import { nearestWord } from "#specbind/nearest-word";
import { entriesOf, type JsonObject, pointerTo, referenceTarget } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import { placeAt } from "../../openapi/schema/schema-view.ts";
import { resolved, textsOf } from "../facts.ts";
import { pairedPaths } from "../path-templates.ts";
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

/** Reports a glob or a tag that no operation has, because a misspelled one would hide every change. */
export function unmatched({ paths, tags }: Selection, specs: readonly Spec[]): string | undefined {
  if (paths.length + tags.length === 0) return undefined;
  const operations = specs.flatMap(({ document }) =>
    ["paths", "webhooks"].flatMap((section) =>
      entriesOf(document[section]).flatMap(([name, item]) =>
        operationsIn(resolved({ document, pointer: "", value: item }).value).map(({ operation }) => ({
          path: section === "paths" ? [name] : [],
          tag: textsOf(operation.tags),
        })),
      ),
    ),
  );
  type Operation = (typeof operations)[number];
  const hasPath = ({ path }: Operation, glob: string): boolean =>
    path.some((each) => globPattern(glob).test(each));
  const hasTag = ({ tag }: Operation, each: string): boolean => tag.includes(each);
  for (const [option, given, has] of [
    ["path", paths, hasPath],
    ["tag", tags, hasTag],
  ] as const)
    for (const each of given)
      if (!operations.some((operation) => has(operation, each))) {
        const nearest = nearestWord(each, [...new Set(operations.flatMap((operation) => operation[option]))]);
        const fix = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
        return `no operation has the ${option} \`${each}\`${fix}`;
      }
  const isChosen = (operation: Operation): boolean =>
    (paths.length === 0 || paths.some((glob) => hasPath(operation, glob))) &&
    (tags.length === 0 || tags.some((tag) => hasTag(operation, tag)));
  return operations.some(isChosen)
    ? undefined
    : "no operation has one of the paths and one of the tags; leave one of these options out";
}
