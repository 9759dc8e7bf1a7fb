/** The servers of operations. A caller sees only whole URLs: the server's URL followed by the path. */
import { entriesOf, isObject, valueAt } from "../openapi/document.ts";
import { placeAt, placeBelow, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { textsOf } from "./facts.ts";
import { pairedPaths } from "./path-templates.ts";

/**
 * The servers, keyed by URL. The key has `{}` for each variable. Without `servers`, the only server
 * is `/` (OpenAPI 3.1, OpenAPI Object).
 *
 * @param base the path at the end of the URLs that counts as a part of the paths
 */
export function serversOf(
  operation: SchemaPlace,
  item: SchemaPlace,
  base = "",
): Map<string, SchemaPlace & { readonly urls: readonly string[] }> {
  const root = placeAt(operation.document, "");
  const list = [operation, item, root]
    .map((holder) => placeBelow(holder, "servers"))
    .find(({ value }) => Array.isArray(value) && value.length > 0);
  const places = Array.isArray(list?.value)
    ? list.value.map((_, index) => placeBelow(list, index))
    : [{ ...root, value: { url: "/" } }];
  const withoutBase = (url: string): string => url.replace(/\/$/, "").slice(0, -base.length || undefined);
  return new Map(
    places.map((place) => {
      const template = String(valueAt(place.value, "/url")).replaceAll(/\{[^{}]*\}/g, "{}");
      return [withoutBase(template), { ...place, urls: urlsOf(place).map(withoutBase) }] as const;
    }),
  );
}

/** Every URL of a server. A variable without `enum` stays in the URL. */
function urlsOf({ value }: SchemaPlace): string[] {
  return entriesOf(valueAt(value, "/variables")).reduce(
    (urls, [name, variable]) => {
      const values = textsOf(valueAt(variable, "/enum"));
      if (values.length === 0 || values.length * urls.length > 1000) return urls;
      return urls.flatMap((url) => values.map((each) => url.replaceAll(`{${name}}`, each)));
    },
    [String(valueAt(value, "/url"))],
  );
}

/** The names of the variables, in the order of the URL. */
export function variablesOf({ value }: SchemaPlace): string[] {
  return [...String(valueAt(value, "/url")).matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
}

/** The paths of both documents' servers, if only the border between server and path moved. */
export function basesOf(before: unknown, after: unknown): string[] {
  const bases = [basePathOf(before), basePathOf(after)];
  const isMoved =
    bases[0] !== bases[1] &&
    pairedPaths(before, after, bases).some(({ old, now }) => old !== undefined && now !== undefined);
  return isMoved ? bases : ["", ""];
}

/** The path that the URLs of all servers end with. It is empty if a path or an operation has servers of its own. */
function basePathOf(document: unknown): string {
  const hasServers = (holder: unknown): boolean => isObject(holder) && holder.servers !== undefined;
  const items = entriesOf(valueAt(document, "/paths")).map(([, item]) => item);
  const root = placeAt(document, "");
  if (items.some((item) => hasServers(item) || Object.values(item ?? {}).some(hasServers))) return "";
  const bases = [...serversOf(root, root).values()].flatMap(({ urls }) =>
    urls.map((url) => /^(?:[^/]*\/\/[^/]*)?(.*)$/.exec(url)?.[1] ?? ""),
  );
  const [base = ""] = bases;
  return bases.every((each) => each === base) && !base.includes("{") ? base : "";
}
