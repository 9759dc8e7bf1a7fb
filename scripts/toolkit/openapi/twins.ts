/**
 * A twin is the `query` operation of a path with `x-twin-of`. It does the same as the path's GET, for callers that
 * cannot send the body of a GET.
 */
import {
  entriesOf,
  followBare,
  isObject,
  type Json,
  type JsonObject,
  mapEntries,
  pointerTo,
  valueAt,
} from "./document.ts";
import { mapKinds } from "./grammar.ts";
import { parametersAt } from "./parameters.ts";

export type TwinRule = "twin-differs";

const extension = "x-twin-of";

export interface Twin {
  /** In capital letters. */
  readonly method: string;
  readonly pointer: string;
}

export function isTwin(operation: Json | undefined): boolean {
  return isObject(operation) && operation[extension] !== undefined;
}

/** The twin of an operation of `paths`, if it has one. */
export function twinOf(document: JsonObject, pointer: string): Twin | undefined {
  const at = pointer.replace(/\/get$/, "/query");
  return at !== pointer && isTwin(valueAt(document, at)) ? { method: "QUERY", pointer: at } : undefined;
}

/** Returns the document itself if it has no twins. */
export function withoutTwins(document: JsonObject): JsonObject {
  const withoutTwin = (item: Json): Json =>
    isObject(item) ? mapEntries(item, (_, each) => (isTwin(each) ? undefined : each)) : item;
  return mapEntries(document, (key, value) =>
    key === "paths" && isObject(value) ? mapEntries(value, (_, item) => withoutTwin(item)) : value,
  );
}

interface LocatedDocument {
  readonly document: JsonObject;
  locate(pointer: string): string;
  report(rule: TwinRule, pointer: string, message: string): void;
}

/** Reports twins that differ from their GET. If the problem is waived, the twin becomes a separate operation. */
export function checkTwins({ document, locate, report }: LocatedDocument): void {
  const twins = entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(path.startsWith("/") ? item : undefined).flatMap(([method, operation]) =>
      isObject(operation) && isTwin(operation) ? [{ path, method, operation }] : [],
    ),
  );
  if (twins.length === 0) return;
  // Descriptions and summaries may differ.
  const bare = mapKinds("document", document, (_kind, _object, inside) =>
    mapEntries(inside(), (key, value) =>
      (key === "description" || key === "summary") && typeof value === "string" ? undefined : value,
    ),
  ) as JsonObject;
  for (const { path, method, operation } of twins) {
    const item = pointerTo("/paths", path);
    const [get, twin] = [pointerTo(item, "get"), pointerTo(item, method)];
    const id = valueAt(document, pointerTo(get, "operationId"));
    if (method !== "query" || id === undefined || operation[extension] !== id) {
      const fix = id === undefined ? "remove it" : `write \`${extension}: ${id}\` in \`query\`, or remove it`;
      const message = `\`x-twin-of\` belongs to the \`query\` of a path, and has the \`operationId\` of its \`get\`; ${fix}`;
      report("twin-differs", pointerTo(twin, extension), message);
      delete operation[extension];
      continue;
    }
    const differences = differencesOf(bare, item, get, twin);
    for (const [part, ofGet, ofTwin] of differences)
      report(
        "twin-differs",
        ofTwin,
        `${part} must be the same as in the \`get\`, see ${locate(ofGet)}; write the same in both`,
      );
    if (differences.length > 0) delete operation[extension];
  }
}

type Difference = readonly [part: string, ofGet: string, ofTwin: string];

function differencesOf(document: JsonObject, item: string, get: string, twin: string): Difference[] {
  const parameters = (operation: string) =>
    new Map(parametersAt(document, item, operation).map((each) => [`${each.in} ${each.name}`, each.pointer]));
  const [ofGet, ofTwin] = [parameters(get), parameters(twin)];
  const field = (name: string): Difference => [`\`${name}\``, pointerTo(get, name), pointerTo(twin, name)];
  const security = (operation: string) =>
    valueAt(document, pointerTo(operation, "security")) === undefined
      ? "/security"
      : pointerTo(operation, "security");
  const parts: Difference[] = [
    ...[...new Set([...ofGet.keys(), ...ofTwin.keys()])].map((name): Difference => {
      const at = (known: typeof ofGet, operation: string) =>
        known.get(name) ?? pointerTo(operation, "parameters", name);
      return [`the parameter \`${name}\``, at(ofGet, get), at(ofTwin, twin)];
    }),
    field("requestBody"),
    field("responses"),
    ["`security`", security(get), security(twin)],
    field("servers"),
  ];
  return parts.flatMap((part) => firstDifference(document, part, new Set()) ?? []);
}

/** @param compared the pairs that were compared already. They end the recursion of schemas that contain themselves. */
function firstDifference(
  document: JsonObject,
  places: Difference,
  compared: Set<string>,
): [Difference] | undefined {
  const [part, ofGet, ofTwin] = places;
  const [{ pointer: one, value: a }, { pointer: other, value: b }] = [
    followBare(document, ofGet),
    followBare(document, ofTwin),
  ];
  const isKnown = one === other || compared.size === compared.add(`${one}\n${other}`).size;
  if (isKnown || a === b) return undefined;
  const areObjects = isObject(a) && isObject(b);
  const areLists = Array.isArray(a) && Array.isArray(b);
  if (!areObjects && !areLists) return [places];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [inGet, inTwin] = [pointerTo(one, key), pointerTo(other, key)];
    if (!Object.hasOwn(a, key)) return [[part, ofGet, inTwin]];
    if (!Object.hasOwn(b, key)) return [[part, inGet, ofTwin]];
    const found = firstDifference(document, [part, inGet, inTwin], compared);
    if (found !== undefined) return found;
  }
  return undefined;
}
