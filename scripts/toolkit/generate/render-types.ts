import {
  addJSDocComment,
  astToString,
  type GlobalContext,
  NEVER,
  type SchemaObject,
  STRING,
  stringToAST,
  type TransformNodeOptions,
  transformOperationObject,
  transformSchema,
  transformSchemaObject,
  tsPropertyIndex,
  tsRecord,
} from "openapi-typescript";
import ts from "typescript";
import { unique } from "../json-schema/code.ts";
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  tokensOf,
  valueAt,
} from "../openapi/document.ts";
import { operationsIn } from "../openapi/grammar.ts";
import type { LoadedSpec } from "../openapi/load.ts";
import { viewOf } from "../openapi/schema/schema-view.ts";
import { messageOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { blobMark } from "./blobs.ts";
import { HandlerRequests } from "./handler-requests.ts";
import { pascal } from "./model/names.ts";
import type { Model } from "./model.ts";
import {
  itemStream,
  streamType,
  textOf,
  withKnownParts,
  withoutStandIns,
  withStandIns,
  withWholeQueries,
} from "./openapi-3-2-types.ts";
import { recurringSchemas } from "./recurring.ts";
import { banner } from "./source-text.ts";
import { typeable } from "./typeable.ts";

type TypedSpec = Pick<LoadedSpec, "document" | "locate">;

/**
 * Renders `types.ts`. `sent` has the schemas that differ in requests. `received` has the requests with defaults filled
 * in.
 * @param model has the ids of operations. Without it, the ids of the document are used
 * @throws SpecProblemsError if openapi-typescript cannot render the document
 */
export function renderTypes(spec: TypedSpec, model?: Model): string {
  return rendered(spec, model, (document) => nodesOf(document, new HandlerRequests(document, model)));
}

/**
 * Renders the types that callers use.
 * @param isShared whether the schema at a pointer is imported from `./shared.ts`
 */
export function renderCallerTypes(spec: TypedSpec, isShared: (pointer: string) => boolean): string {
  return rendered(spec, undefined, (document) => nodesOf(document, undefined, isShared));
}

function rendered(
  spec: TypedSpec,
  model: Model | undefined,
  render: (document: JsonObject) => ts.Node[],
): string {
  try {
    const types = astToString(render(typeable(spec.document, model)));
    return `${banner}${types}${types.includes("ItemStream<") ? itemStream : ""}`;
  } catch (error) {
    const message = `openapi-typescript cannot generate types for this document: ${messageOf(error)}`;
    throw new SpecProblemsError([{ location: spec.locate(""), message }]);
  }
}

/** @param received adds the requests for handlers */
function nodesOf(
  document: JsonObject,
  received?: HandlerRequests,
  isShared: (pointer: string) => boolean = () => false,
): ts.Node[] {
  const operations = received?.operations() ?? [];
  const receivedSchemas = received?.schemas ?? [];
  const recurring = recurringSchemas({
    ...document,
    received: { schemas: Object.fromEntries(receivedSchemas) },
  });
  const readable = withStandIns(document);
  const isNew = readable !== document;
  const ctx = contextOf(readable, (schema, path) => {
    const [, pointer] = /^#(\/components\/schemas\/[^/]+)$/.exec(path) ?? [];
    if (pointer !== undefined && isShared(pointer)) return sharedType(pointer);
    const alias = recurring.get(schema);
    return alias && ts.factory.createTypeReferenceNode(alias.name);
  });
  const schemas = (holder: string, named: Iterable<readonly [string, Json]>): ts.TypeNode =>
    membersOf([...named], (name, schema) => {
      const alias = isObject(schema) ? recurring.get(schema) : undefined;
      if (alias !== undefined) return ts.factory.createTypeReferenceNode(alias.name);
      return transformSchemaObject(schema as never, { path: `#/${holder}/schemas/${name}`, ctx });
    });
  const names = new Map([...recurring.values()].map(({ name, way }) => [JSON.stringify(way), name]));
  const aliases = [...recurring].map(([schema, { name, way }]) => {
    const path = `#/${way.join("/")}`;
    // The copy is not in `recurring`, so its full type is rendered instead of the alias.
    const type = transformSchemaObject({ ...schema } as never, { path, ctx });
    return ts.factory.createTypeAliasDeclaration(undefined, name, undefined, withAliases(type, names));
  });
  const additions = [
    interfaceOf("sent", "Schemas of requests, if they differ from those of responses.", {
      schemas: schemas("sent", entriesOf(valueAt(document, "/sent/schemas"))),
    }),
    interfaceOf("received", "Requests for handlers, if they differ because defaults are filled in.", {
      schemas: schemas("received", receivedSchemas),
      operations: membersOf(operations, (_, operation) => {
        const read = isNew ? withKnownParts("operation", operation) : operation;
        const members = requestMembers(transformOperationObject(read as never, { ctx }));
        const type = ts.factory.createTypeLiteralNode(members);
        return isNew ? withWholeQueries(type, true) : type;
      }),
    }),
  ];
  const transformed = transformSchema(readable as never, ctx);
  const rendered = isNew ? withoutStandIns(transformed, document) : transformed;
  describe(rendered, document);
  // The helpers come last.
  const named = namedSchemas(document, [...names.values()]);
  return [...rendered, ...aliases, ...additions, ...named].map((node) =>
    ts.isTypeAliasDeclaration(node) && node.name.text === withRequiredHelper.name.text
      ? withRequiredHelper
      : node,
  );
}

/** A type for each schema of `components`, with the name of the schema if possible. */
function namedSchemas(document: JsonObject, others: readonly string[]): ts.Node[] {
  const taken = new Set([...typesOfModule, ...others]);
  const schemas = entriesOf(valueAt(document, "/components/schemas"));
  const isKept = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name) && !taken.has(name) && !isKeyword(name);
  const kept = new Set(schemas.map(([name]) => name).filter(isKept));
  for (const name of kept) taken.add(name);
  return schemas.map(([name, schema]) => {
    const word = pascal(name);
    const exported = kept.has(name) ? name : unique(taken.has(word) ? `${word}Schema` : word, taken);
    const path = ["schemas", name].map((each) =>
      ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(each)),
    );
    const type = path.reduce<ts.TypeNode>(
      (holder, index) => ts.factory.createIndexedAccessTypeNode(holder, index),
      ts.factory.createTypeReferenceNode("components"),
    );
    const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
    const alias = ts.factory.createTypeAliasDeclaration(modifiers, exported, undefined, type);
    addJSDocComment(schema as never, alias as never);
    return alias;
  });
}

/** What `types.ts` declares or uses. */
const typesOfModule = ["paths", "webhooks", "components", "$defs", "operations", "sent", "received"].concat(
  ["WithRequired", "OneOf", "XOR", "Without", "ItemStream", "ReadableStream", "Uint8Array", "ArrayBuffer"],
  ["Blob", "Record", "Omit", "Pick", "Exclude", "Extract", "Partial", "PropertyKey"],
);

/** Also for names of types such as `string`, which no alias may have. */
function isKeyword(name: string): boolean {
  return ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) !== undefined;
}

/**
 * Adds the title of the document to `paths`, and descriptions also to the `operations` interface, because editors show
 * them for client functions.
 */
function describe(nodes: readonly ts.Node[], document: JsonObject): void {
  const info = isObject(document.info) ? document.info : {};
  const all = entriesOf(document.paths).flatMap(([, item]) => operationsIn(item));
  const operations = new Map(all.map(({ operation }) => [operation.operationId, operation]));
  for (const node of nodes) {
    if (!ts.isInterfaceDeclaration(node)) continue;
    if (node.name.text === "paths") addJSDocComment({ title: info.title } as never, node as never);
    if (node.name.text !== "operations") continue;
    for (const member of node.members) {
      const operation = operations.get(textOf(member.name));
      if (operation && ts.isPropertySignature(member)) addJSDocComment(operation, member);
    }
  }
}

function sharedType(pointer: string): ts.TypeNode {
  const names = tokensOf(pointer)
    .slice(1)
    .map((name) => `[${JSON.stringify(name)}]`);
  return ts.factory.createTypeReferenceNode(`import("./shared.ts").components${names.join("")}`);
}

/** References become names of aliases. Only then can TypeScript resolve a circular alias. */
function withAliases(type: ts.TypeNode, names: ReadonlyMap<string, string>): ts.TypeNode {
  const visit = (node: ts.Node): ts.Node => {
    const name = ts.isIndexedAccessTypeNode(node) ? names.get(indexedName(node)) : undefined;
    if (name !== undefined) return ts.factory.createTypeReferenceNode(name);
    return ts.visitEachChild(node, visit, undefined);
  };
  return ts.visitNode(type, visit, ts.isTypeNode);
}

/** `components["schemas"]["A"]` as a JSON list of its names; "" for other types. */
function indexedName(type: ts.TypeNode): string {
  const words: string[] = [];
  let node = type;
  while (ts.isIndexedAccessTypeNode(node)) {
    const { indexType } = node;
    if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteral(indexType.literal)) return "";
    words.unshift(indexType.literal.text);
    node = node.objectType;
  }
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)
    ? JSON.stringify([node.typeName.text, ...words])
    : "";
}

function requestMembers(members: readonly ts.TypeElement[]): ts.TypeElement[] {
  return members.filter(
    ({ name }) => name !== undefined && ts.isIdentifier(name) && name.text !== "responses",
  );
}

function membersOf<Item extends Json>(
  items: readonly (readonly [string, Item])[],
  typeOf: (name: string, item: Item) => ts.TypeNode,
): ts.TypeNode {
  return ts.factory.createTypeLiteralNode(
    items.map(([name, item]) => {
      const member = memberOf(name, typeOf(name, item));
      addJSDocComment(item as never, member);
      return member;
    }),
  );
}

function memberOf(name: string, type: ts.TypeNode): ts.PropertySignature {
  return ts.factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

function interfaceOf(name: string, comment: string, members: { [name: string]: ts.TypeNode }): ts.Node {
  const node = ts.factory.createInterfaceDeclaration(
    [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)],
    name,
    undefined,
    undefined,
    Object.entries(members).map(([member, type]) => memberOf(member, type)),
  );
  return ts.addSyntheticLeadingComment(node, ts.SyntaxKind.MultiLineCommentTrivia, `* ${comment} `, true);
}

/** openapi-typescript's helper does not know the keys of unions, such as nullable types. */
const withRequiredHelper = typeAliasOf(
  "type WithRequired<T, K extends PropertyKey> = T extends object ? T & { [P in K & keyof T]-?: T[P] } : T;",
);

function typeAliasOf(text: string): ts.TypeAliasDeclaration {
  const [node] = stringToAST(text) as ts.Node[];
  if (node === undefined || !ts.isTypeAliasDeclaration(node)) throw new Error(`no type alias: ${text}`);
  return node;
}

/** Options of openapi-typescript that disable its bundling and linting. */
function contextOf(
  document: JsonObject,
  aliasOf: (schema: object, path: string) => ts.TypeNode | undefined,
): GlobalContext {
  return {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    // openapi-typescript does not find defaults behind a `$ref` or inside a request.
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    exportType: false,
    generatePathParams: false,
    immutable: false,
    injectFooter: [],
    makePathsEnum: false,
    pathParamsAsTypes: false,
    postTransform: undefined,
    propertiesRequiredByDefault: false,
    readWriteMarkers: false,
    // Only the linter reads this option.
    redoc: undefined as never,
    resolve: <T>($ref: string) => resolved(document, $ref) as T | undefined,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    silent: true,
    transform: (schema, options) => aliasOf(schema, options.path ?? "") ?? typeOf(schema, options),
    transformProperty: undefined,
  };
}

/** The target of a reference. Schemas get the properties of their whole composition. */
function resolved(document: JsonObject, reference: string): Json | undefined {
  const target = valueAt(document, localPointer(reference) ?? "");
  if (!isObject(target)) return target;
  const { parts } = viewOf(document, target);
  const [own, other] = parts.map(({ value }) => value);
  if (other === undefined) return own;
  // Other targets than schemas may be references too.
  if (typeof target.$ref === "string" && Object.keys(target).length === 1 && parts.length === 2) return other;
  return {
    ...target,
    properties: Object.fromEntries(parts.flatMap(({ value }) => entriesOf(value.properties))),
  };
}

function typeOf(schema: SchemaObject, options: TransformNodeOptions): ts.TypeNode | undefined {
  const stream = streamType(schema, (item) => transformSchemaObject(item as never, options));
  if (stream !== undefined) return stream;
  const keywords: { [keyword: string]: unknown } = { ...schema };
  if (keywords[blobMark] === true) return blobType(schema.type);
  if (schema.type === "array" && "prefixItems" in schema) return tupleType(keywords, options);
  const { properties, additionalProperties, patternProperties } = keywords;
  const isEmpty =
    schema.type === "object" &&
    additionalProperties === false &&
    patternProperties === undefined &&
    entriesOf(properties).length === 0;
  return isEmpty ? tsRecord(STRING, NEVER) : undefined;
}

/** A tuple may end after any optional item. Unless it is closed, it may have more items (JSON Schema core, 10.3.1). */
function tupleType(schema: { [keyword: string]: unknown }, options: TransformNodeOptions): ts.TypeNode {
  const { prefixItems, items, minItems, maxItems } = schema;
  const least = typeof minItems === "number" ? minItems : 0;
  const most = typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY;
  const typeOfItem = (item: unknown): ts.TypeNode => transformSchemaObject(item as never, options);
  const first = Array.isArray(prefixItems) ? prefixItems.slice(0, most) : [];
  const members = first.map((item, index) => {
    const type = typeOfItem(item);
    return index < least ? type : ts.factory.createOptionalTypeNode(type);
  });
  if (items !== false && most > first.length && !isClosedList(schema)) {
    const rest = ts.factory.createArrayTypeNode(typeOfItem(items ?? true));
    members.push(ts.factory.createRestTypeNode(rest));
  }
  return ts.factory.createTupleTypeNode(members);
}

/** Other keywords may evaluate more items than `prefixItems` does. */
function isClosedList(schema: { [keyword: string]: unknown }): boolean {
  const evaluating = ["items", "contains", "$ref", "allOf", "anyOf", "oneOf", "if"];
  return schema.unevaluatedItems === false && evaluating.every((keyword) => schema[keyword] === undefined);
}

/** Callers send and handlers receive bytes as a Blob. */
function blobType(type: unknown): ts.TypeNode {
  const blob = ts.factory.createTypeReferenceNode("Blob");
  if (!Array.isArray(type) || !type.includes("null")) return blob;
  return ts.factory.createUnionTypeNode([blob, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);
}
