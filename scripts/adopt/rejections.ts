/**
 * Adds to a document the errors that the server returns before a handler runs, as problem details (RFC 9457). Only text is
 * inserted, so comments and layout stay.
 */
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
} from "yaml";

const mediaType = "application/problem+json";
const schemaName = "Rejection";
const content = { [mediaType]: { schema: { $ref: `#/components/schemas/${schemaName}` } } };
const text = { type: "string" };

const schema = {
  description: "An error that the service returns before the operation runs, as problem details (RFC 9457).",
  type: "object",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    ...{ type: text, title: text, status: { type: "integer" }, detail: text, code: text, request_id: text },
    problems: {
      type: "array",
      items: {
        type: "object",
        required: ["in", "pointer", "message"],
        properties: { in: text, pointer: text, message: text },
      },
    },
  },
};

const descriptions = {
  "400": "The request cannot be read.",
  "401": "The credential is missing or not valid.",
  "403": "The credential may not call this operation.",
  "413": "The request body is too large.",
  "415": "The media type of the request body is not supported.",
  "422": "The request is not valid.",
};
type Status = keyof typeof descriptions;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export interface WithRejections {
  readonly text: string;
  /** How many responses were added or got a body. */
  readonly added: number;
  /** Operations that were not changed because a part of them is in another file. */
  readonly elsewhere: readonly string[];
}

/** @param given YAML or JSON */
export function withRejections(given: string): WithRejections {
  const document = parseDocument(given, { keepSourceTokens: true });
  const at = (map: Node | undefined, key: string): Node | undefined => {
    const found = isMap(map) ? map.get(key, true) : undefined;
    return isAlias(found) ? found.resolve(document) : (found as Node | undefined);
  };
  /** The node, or the one that it refers to in this file. */
  const followed = (node: Node | undefined): Node | undefined => {
    const reference = isMap(node) ? node.get("$ref") : undefined;
    if (typeof reference !== "string") return node;
    const tokens = reference.split("/").slice(1);
    const keys = tokens.map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"));
    return reference.startsWith("#/") ? followed(keys.reduce<Node | undefined>(at, root)) : undefined;
  };
  const root = document.contents ?? undefined;
  const added = new Map<Node, Map<string, object>>();
  const elsewhere: string[] = [];
  const add = (map: YAMLMap, key: string, value: object): void => {
    added.set(map, (added.get(map) ?? new Map<string, object>()).set(key, value));
  };

  for (const [path, item] of entriesOf(followed(at(root, "paths"))))
    for (const [method, operation] of entriesOf(followed(item))) {
      if (!methods.includes(method)) continue;
      const responses = followed(at(operation, "responses"));
      if (!isMap(responses)) {
        elsewhere.push(`${method.toUpperCase()} ${path}`);
        continue;
      }
      const security = at(operation, "security") ?? at(root, "security");
      const hasValues = [at(operation, "parameters"), at(followed(item), "parameters")].some(
        (list) => isCollection(list) && list.items.length > 0,
      );
      const documents = (status: string) => at(responses, status) !== undefined;
      for (const status of rejectionsOf(
        security,
        at(operation, "requestBody") !== undefined,
        hasValues,
        documents,
      )) {
        const own = at(responses, status);
        const response = followed(own);
        const body = followed(at(response, "content"));
        const admits = (range: string) => at(body, range) !== undefined;
        if ([mediaType, "application/*", "*/*"].some(admits)) continue;
        if (own === undefined) add(responses, status, { description: descriptions[status], content });
        else if (isMap(body)) add(body, mediaType, content[mediaType] ?? {});
        else if (isMap(response)) add(response, "content", content);
        else elsewhere.push(`${method.toUpperCase()} ${path}`);
      }
    }
  const count = [...added.values()].reduce((sum, entries) => sum + entries.size, 0);
  if (count > 0 && isMap(root)) addSchema(root, at, add);
  const changed = [...added].map(([map, entries]) =>
    insertion(given, map as YAMLMap, Object.fromEntries(entries)),
  );
  // From the end, so that the other positions stay right. Where several maps end, the entries of the inner one come first.
  const ordered = changed.toSorted(
    (one, other) => other.offset - one.offset || one.indent.length - other.indent.length,
  );
  const result = ordered.reduce(
    (now, { offset, lines }) => now.slice(0, offset) + lines + now.slice(offset),
    given,
  );
  return { text: result, added: count, elsewhere: [...new Set(elsewhere)] };
}

function entriesOf(map: Node | undefined): [string, Node | undefined][] {
  if (!isMap(map)) return [];
  return map.items.map(({ key, value }) => [
    String(isScalar(key) ? key.value : key),
    (value as Node) ?? undefined,
  ]);
}

/** As the pipeline and `server/rejections.ts` decide. */
function rejectionsOf(
  security: Node | undefined,
  hasBody: boolean,
  hasParameters: boolean,
  documents: (status: string) => boolean,
): Status[] {
  const alternatives: { [scheme: string]: unknown[] }[] = isCollection(security) ? security.toJSON() : [];
  const isGuarded = alternatives.length > 0 && alternatives.every((each) => Object.keys(each).length > 0);
  const hasRoles = alternatives.some((each) => Object.values(each).some((roles) => roles.length > 0));
  // Without a 422, an invalid request gets a 400.
  const isInvalidMalformed =
    documents("400") && !documents("422") && !documents("default") && !documents("4XX");
  const invalid: Status = isInvalidMalformed ? "400" : "422";
  return [
    ...(isGuarded ? (["401"] as const) : []),
    ...(isGuarded && hasRoles ? (["403"] as const) : []),
    ...(hasBody ? (["400", "413", "415"] as const) : []),
    ...(hasBody || hasParameters ? [invalid] : []),
  ];
}

function addSchema(
  root: YAMLMap,
  at: (map: Node | undefined, key: string) => Node | undefined,
  add: (map: YAMLMap, key: string, value: object) => void,
): void {
  const components = at(root, "components");
  const schemas = at(components, "schemas");
  if (isMap(schemas)) {
    if (at(schemas, schemaName) === undefined) add(schemas, schemaName, schema);
  } else if (isMap(components)) add(components, "schemas", { [schemaName]: schema });
  else add(root, "components", { schemas: { [schemaName]: schema } });
}

/** The text that adds entries to a map, and where. */
function insertion(
  given: string,
  map: YAMLMap,
  entries: object,
): { offset: number; indent: string; lines: string } {
  const [first] = map.items;
  const start = isPair(first) && isScalar(first.key) ? (first.key.range?.[0] ?? 0) : undefined;
  const lineStart = given.lastIndexOf("\n", (start ?? 0) - 1) + 1;
  const before = given.slice(lineStart, start);
  if (map.flow || start === undefined) {
    const json = Object.entries(entries).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    const separator = /^\s*$/.test(before) && given[lineStart - 1] === "\n" ? `,\n${before}` : ", ";
    if (start === undefined) return { offset: (map.range?.[0] ?? 0) + 1, indent: "", lines: json.join(", ") };
    return {
      offset: endOf(map.items.at(-1)?.value as Node),
      indent: "",
      lines: separator + json.join(separator),
    };
  }
  const indent = " ".repeat(start - lineStart);
  const lines = stringify(entries, { lineWidth: 0, aliasDuplicateObjects: false }).replaceAll(
    /^(?=.)/gm,
    indent,
  );
  const leaf = lastLeaf(map);
  const end = endOf(leaf);
  const isAtLine = given[end - 1] === "\n";
  const next = isAtLine ? end : given.indexOf("\n", end) + 1;
  return next === 0 ? { offset: given.length, indent, lines: `\n${lines}` } : { offset: next, indent, lines };
}

function endOf(node: Node): number {
  return node.range?.[1] ?? 0;
}

/** The last scalar or flow collection. Only they end where their text ends. */
function lastLeaf(node: Node): Node {
  if (!isCollection(node) || node.flow) return node;
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return last === undefined ? node : lastLeaf(last as Node);
  const isEmpty = isScalar(last.value) && last.value.range?.[0] === last.value.range?.[1];
  return last.value === null || isEmpty ? (last.key as Node) : lastLeaf(last.value as Node);
}
