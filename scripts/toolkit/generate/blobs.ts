/** Finds the schemas whose values have the type Blob. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  mapEntries,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../openapi/document.ts";
import { mapKinds, visitKinds } from "../openapi/grammar.ts";
import { mapSubschemas } from "../openapi/schema/keywords.ts";
import { keywordOf, viewOf } from "../openapi/schema/schema-view.ts";
import { kindOf } from "./model/read-media-types.ts";
import { fieldsOf } from "./shapes.ts";

/** Marks a schema whose values are a Blob: a body of bytes, or a file of a form. */
export const blobMark = "x-blob";

/** A component that is used in text, too, keeps the type of a text. Where it is bytes, its marked copy replaces it. */
export function withBlobs(document: JsonObject): JsonObject {
  let known: ReadonlySet<string> | undefined;
  const isInText = (pointer: string): boolean => {
    known ??= referredInText(document);
    return known.has(pointer);
  };
  /** @param open ends the recursion of a form that contains itself */
  const marked = (schema: Json, isField: boolean, open: readonly Json[] = []): Json => {
    if (!isObject(schema)) return schema;
    const target = referenceTarget(schema);
    if (target !== undefined && isInText(target)) {
      const referred = valueAt(document, target) ?? true;
      const copy = open.includes(referred) ? referred : marked(referred, isField, [...open, referred]);
      const { $ref: _, ...beside } = schema;
      return copy === referred || !isObject(copy) ? schema : { ...copy, ...beside };
    }
    if (schema.format === "binary") return { ...schema, [blobMark]: true };
    return mapSubschemas(schema, ({ appliesTo, schema: part }) => {
      if (appliesTo === "value" || appliesTo === "items") return marked(part, isField, open);
      return appliesTo === "properties" && !isField ? marked(part, true, open) : part;
    });
  };
  const image = mapKinds("document", document, (kind, object, inside) => {
    if (kind === "schema") return object;
    const parts = inside();
    if ((kind !== "requestBody" && kind !== "response") || !isObject(parts.content)) return parts;
    const content = mapEntries(parts.content, (mediaType, media) => {
      if (!isObject(media) || media.schema === undefined || isText(mediaType)) return media;
      return { ...media, schema: marked(media.schema, kindOf(mediaType) !== "multipart") };
    });
    return { ...parts, content };
  });
  return mapEntries(isObject(image) ? image : document, (section, holder) => {
    if (!(section === "components" || section === "sent") || !isObject(holder)) return holder;
    if (!isObject(holder.schemas)) return holder;
    const schemas = mapEntries(holder.schemas, (name, schema) => {
      const copy = marked(schema, false);
      return copy === schema || isInText(pointerTo("", section, "schemas", name)) ? schema : copy;
    });
    return { ...holder, schemas };
  });
}

function isText(mediaType: string): boolean {
  return ["json", "form", "text"].includes(kindOf(mediaType));
}

/** The pointers of the schemas that are used in JSON, in text or in parameters. */
function referredInText(document: JsonObject): ReadonlySet<string> {
  const pending: Json[] = [];
  visitKinds("document", document, (kind, object) => {
    if (kind === "parameter" || kind === "header") pending.push(object.schema ?? true);
    for (const [mediaType, media] of entriesOf(object.content)) {
      const schema = valueAt(media, "/schema") ?? valueAt(media, "/itemSchema") ?? true;
      const isForm = kindOf(mediaType) === "multipart";
      if (isText(mediaType)) pending.push(schema);
      // An object that is a field is JSON.
      else
        for (const field of fieldsOf(document, schema).values()) {
          const part = keywordOf(viewOf(document, field), "items") ?? field;
          if (!isForm || fieldsOf(document, part).size > 0) pending.push(part);
        }
    }
  });
  const found = new Set<string>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    visitKinds("schema", next, (_kind, object) => {
      const target = referenceTarget(object);
      if (target === undefined || found.has(target)) return;
      found.add(target);
      pending.push(valueAt(document, target) ?? true);
    });
  return found;
}
