/**
 * openapi-typescript reads OpenAPI 3.1. A part that only 3.2 has gets a stand-in of 3.1 before. In the types, the part
 * replaces its stand-in.
 */
import { tsPropertyIndex } from "openapi-typescript";
import ts from "typescript";
import { entriesOf, isObject, type Json, type JsonObject, mapEntries } from "../openapi/document.ts";
import { isMethod, type Kind, mapKinds, operationsIn } from "../openapi/grammar.ts";

/** Returns the document itself if it has no parts that only 3.2 has. */
export function withStandIns(document: JsonObject): JsonObject {
  return withOperationsApart(withKnownParts("document", document));
}

/** @param document the document without stand-ins */
export function withoutStandIns(nodes: readonly ts.Node[], document: JsonObject): ts.Node[] {
  return withOperationsInPlace(nodes, document).map((node) => withWholeQueries(node));
}

/** The name of a parameter that cannot exist in a document. */
const wholeQuery = "whole query ";

const streamFormat = "stream of items";

/** The type of a media type with `itemSchema`. */
export function streamType(
  schema: { readonly format?: string; readonly items?: unknown },
  typeOfItem: (item: unknown) => ts.TypeNode,
): ts.TypeNode | undefined {
  if (schema.format !== streamFormat) return undefined;
  return ts.factory.createTypeReferenceNode("ItemStream", [typeOfItem(schema.items)]);
}

export const itemStream = `
/** A stream of bytes. Its items are not validated: \`NonNullable<ItemStream<Item>["item"]>\` is only their type. */
export interface ItemStream<Item> extends ReadableStream<Uint8Array<ArrayBuffer>> {
    readonly item?: Item;
}
`;

/**
 * openapi-typescript ignores `in: querystring` and `itemSchema`. They are rewritten as a query parameter and as a
 * schema.
 */
export function withKnownParts(kind: Kind, value: JsonObject): JsonObject {
  const image = mapKinds(kind, value, (each, object, inside) => {
    if (each === "parameter" && object.in === "querystring")
      return { ...object, in: "query", name: wholeQuery };
    if (each !== "mediaType" || object.itemSchema === undefined) return inside();
    return { schema: { type: "array", format: streamFormat, items: object.itemSchema } };
  });
  return isObject(image) ? image : value;
}

/** @param isReceived true for handlers, which get undefined for an absent query */
export function withWholeQueries<Node extends ts.Node>(root: Node, isReceived = false): Node {
  const visit = (node: ts.Node): ts.Node => {
    const whole = ts.isPropertySignature(node)
      ? membersIn(node).find(({ name }) => textOf(name) === wholeQuery)
      : undefined;
    if (whole === undefined || !ts.isPropertySignature(whole) || !ts.isPropertySignature(node))
      return ts.visitEachChild(node, visit, undefined);
    const { questionToken, type } = whole;
    const absent = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
    return ts.factory.updatePropertySignature(
      node,
      node.modifiers,
      node.name,
      isReceived ? undefined : questionToken,
      isReceived && type && questionToken ? ts.factory.createUnionTypeNode([type, absent]) : type,
    );
  };
  return ts.visitEachChild(root, visit, undefined);
}

/** openapi-typescript ignores these operations. Each is rewritten as the `get` of a path such as `COPY /books`. */
function withOperationsApart(document: JsonObject): JsonObject {
  const apart = entriesOf(document.paths).flatMap(([path, item]) =>
    addedOperationsIn(item).map(({ key, operation }) => [
      `${key} ${path}`,
      {
        ...mapEntries(item as JsonObject, (key, value) => (isMethod(key) ? undefined : value)),
        get: operation,
      },
    ]),
  );
  if (apart.length === 0) return document;
  return { ...document, paths: { ...(document.paths as JsonObject), ...Object.fromEntries(apart) } };
}

function addedOperationsIn(item: Json): { key: string; operation: JsonObject }[] {
  return operationsIn(item).flatMap(({ pointer, method, operation }) =>
    pointer === "/query"
      ? { key: "query", operation }
      : pointer.startsWith("/additional")
        ? { key: method, operation }
        : [],
  );
}

function withOperationsInPlace(nodes: readonly ts.Node[], { paths }: JsonObject): ts.Node[] {
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== "paths") return node;
    const items = new Map(node.members.map((member) => [textOf(member.name), member]));
    const members = entriesOf(paths).flatMap(([path, item]) => {
      const member = items.get(path);
      if (member === undefined || !ts.isPropertySignature(member)) return [];
      const added = addedOperationsIn(item).flatMap(({ key }) => {
        const operation = membersIn(items.get(`${key} ${path}`)).find(({ name }) => textOf(name) === "get");
        if (operation === undefined || !ts.isPropertySignature(operation)) return [];
        const { modifiers, questionToken, type } = operation;
        const name = tsPropertyIndex(key);
        return [ts.factory.updatePropertySignature(operation, modifiers, name, questionToken, type)];
      });
      if (added.length === 0) return [member];
      const type = ts.factory.createTypeLiteralNode([...membersIn(member), ...added]);
      return [ts.factory.updatePropertySignature(member, member.modifiers, member.name, undefined, type)];
    });
    const { modifiers, name, typeParameters, heritageClauses } = node;
    return ts.factory.updateInterfaceDeclaration(
      node,
      modifiers,
      name,
      typeParameters,
      heritageClauses,
      members,
    );
  });
}

/** The members of a property whose type is an object. */
function membersIn(item: ts.TypeElement | undefined): readonly ts.TypeElement[] {
  const type = item && ts.isPropertySignature(item) ? item.type : undefined;
  return type && ts.isTypeLiteralNode(type) ? [...type.members] : [];
}

export function textOf(name: ts.PropertyName | undefined): string {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : "";
}
