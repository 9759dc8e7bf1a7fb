/**
 * What the spec says, in the form that every renderer needs. Names are decided here and nowhere later. What the contract
 * cannot enforce is refused here, with its place.
 */
import {
  defaultOf,
  entriesOf,
  follow,
  followBare,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  schemaKeyword,
  valueAt,
} from "./document.ts";
import { methods } from "./grammar.ts";
import type { LoadedSpec } from "./load.ts";
import { isSensitive, type NamedSchema, sensitiveNames } from "./sensitive.ts";
import { fieldsOf, type Shape, shapeOf } from "./shapes.ts";

/** A schema that gets a validator of its own. `name` is a unique identifier in PascalCase. */
export interface SchemaUse {
  readonly name: string;
  readonly pointer: string;
  readonly use: "request" | "response" | "parameter";
}

export interface Parameter {
  readonly in: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly required: boolean;
  /** What its text is read as before the validator sees it. */
  readonly type: Shape;
  /** Set where they are not what OpenAPI means by leaving them out. */
  readonly style: Style | undefined;
  readonly explode: boolean | undefined;
  /** The media type of its text, where it has one. */
  readonly mediaType: string | undefined;
  readonly schema: SchemaUse;
}

export type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject";

/** How one field of a form is written. */
export interface Field {
  readonly name: string;
  readonly type: Shape;
  readonly style: Style | undefined;
  readonly explode: boolean | undefined;
  readonly mediaType: string | undefined;
}

export interface Media {
  readonly mediaType: string;
  /** Undefined where any content is meant. */
  readonly schema: SchemaUse | undefined;
  /** The fields of a form; empty for anything else. */
  readonly fields: readonly Field[];
}

export interface Content {
  readonly required: boolean;
  /** What a caller means that sends none: the `default` at the root of the schema. */
  readonly default: Json | undefined;
  readonly mediaTypes: readonly Media[];
}

export interface Response {
  /** Shared by every operation that refers to the same component; a unique identifier in PascalCase. */
  readonly name: string;
  /** A number, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly headers: readonly Omit<Parameter, "in">[];
  readonly mediaTypes: readonly Media[];
}

/** One credential that is needed, with all of its roles. */
export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** How the credential is sent: `unknown` is met by no caller. */
  readonly sent: "bearer" | "basic" | "unknown" | { readonly in: string; readonly name: string };
}

export interface Operation {
  /** The spec's own id where that is an identifier and the first of its name, else one made from it or from the path. */
  readonly id: string;
  readonly pointer: string;
  readonly method: string;
  readonly path: string;
  /** Alternatives, each of requirements that are needed together; of none where no credential is needed. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly Parameter[];
  readonly content: Content | undefined;
  readonly responses: readonly Response[];
}

export interface Model {
  readonly operations: readonly Operation[];
  /** What a request gets that matches no operation (`x-unmatched-responses`). */
  readonly unmatched: readonly Response[];
  /** What tells a secret key from others that may be shown (`x-secret-prefix` of a security scheme). */
  readonly secretKeyPrefixes: readonly string[];
  readonly schemas: readonly SchemaUse[];
  /** Names of properties, parameters and headers whose values are secrets, sorted; "" where a whole content is one. */
  readonly sensitive: readonly string[];
}

const parameterPlaces = new Set<Json | undefined>(["path", "query", "header", "cookie"]);
const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
} as const;
/** OpenAPI 3.1, Parameter Object: what is meant where `style` is left out. */
const defaultStyles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;
/** OpenAPI 3.1, Parameter Object: definitions of these three are ignored. */
const headersSaidElsewhere = new Set(["accept", "content-type", "authorization"]);
/** Text of RFC 3986 and parameters, of which no two stand side by side: nothing would tell them apart. */
const segmentForm = /^(?:\{[^{}]+\}(?!\{)|[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*$/;
/** The dialects without a keyword that draft 2020-12 or OpenAPI 3.1 does not have. */
const dialectForm =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema$|spec\.openapis\.org\/oas\/3\.1\/)/;
/** RFC 9110, section 8.3.1, or a range of section 12.5.1. */
const mediaTypeForm = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/s;
/** No charset, or UTF-8. */
const charsetForm = /^(?!.*;\s*charset=(?!"?utf-?8"?\s*(?:;|$)))/is;
const operationIdForm = /^[A-Za-z][A-Za-z0-9_]*$/;
/** A client has functions of these names besides those of its operations, and none that would make it a promise. */
const namesOfClient = [
  "GET",
  "PUT",
  "POST",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PATCH",
  "TRACE",
  "use",
  "eject",
  "then",
];

/** Names in a path template that Redocly, which looks for undeclared ones, does not take for names. */
function unusualNames(path: string): string[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => !/^[\w.-]+$/.test(name));
}

/** Reports every place that the contract cannot keep, and leaves it out. */
export function modelOf(spec: LoadedSpec): Model {
  const { document } = spec;
  const names = new Names(document);
  const sensitive = new Set<string>();
  const named: NamedSchema[] = [];

  const refuse = (rule: ModelRule, pointer: string, message: string): void =>
    spec.report(rule, pointer, message);

  const { jsonSchemaDialect } = document;
  if (jsonSchemaDialect !== undefined && !dialectForm.test(String(jsonSchemaDialect)))
    refuse(
      "schema-dialect",
      "/jsonSchemaDialect",
      "schemas are read in draft 2020-12 and no other dialect; remove this and write them in that draft",
    );

  /** What a schema or a percent sign says already, and what a server could only guess at. */
  const refuseIgnored = (pointer: string, value: JsonObject): void => {
    if (value.allowEmptyValue === true)
      refuse(
        "allow-empty-value",
        pointerTo(pointer, "allowEmptyValue"),
        "whether a value may be empty is for the schema to say; remove this, and let the schema admit an empty text",
      );
    if (value.allowReserved === true)
      refuse(
        "allow-reserved",
        pointerTo(pointer, "allowReserved"),
        "`&`, `+`, `#` and what separates parts cannot be told from text unless they are percent-encoded; remove this, for all other characters are read either way",
      );
  };

  const readFields = (pointer: string, media: JsonObject, mediaType: string): Field[] => {
    const kind = kindOf(mediaType);
    if (kind !== "form" && kind !== "multipart") return [];
    return [...fieldsOf(document, media.schema)].map(([name, schema]) => {
      const found = isObject(media.encoding) ? media.encoding[name] : undefined;
      const encoding = isObject(found) ? found : {};
      const type = shapeOf(document, schema);
      refuseIgnored(pointerTo(pointer, "encoding", name), encoding);
      const { contentType, style, explode } = encoding;
      return {
        name,
        type,
        style: typeof style === "string" ? (style as Style) : undefined,
        explode: typeof explode === "boolean" ? explode : undefined,
        mediaType:
          typeof contentType === "string"
            ? contentType
            : style === undefined
              ? fieldMediaType(document, schema, type, kind)
              : undefined,
      };
    });
  };

  /** Bytes that only the media type tells from text, which is not said in types. */
  const isRaw = ([, schema]: [string, Json]): boolean => {
    const part = schemaKeyword(document, schema, "items") ?? schema;
    const [mediaType, encoding, format] = ["contentMediaType", "contentEncoding", "format"].map((keyword) =>
      schemaKeyword(document, part, keyword),
    );
    const isBytes = typeof mediaType === "string" && kindOf(mediaType) === "bytes";
    return isBytes && encoding === undefined && format !== "binary";
  };

  const readContentTypes = (
    pointer: string,
    value: Json | undefined,
    use: SchemaUse["use"],
    name: string,
  ): Media[] =>
    entriesOf(value).flatMap(([mediaType, media]): Media[] => {
      const place = pointerTo(pointer, mediaType);
      if (!mediaTypeForm.test(mediaType)) {
        refuse("media-type", place, "no content is of such a media type; write one such as application/json");
        return [];
      }
      if (!charsetForm.test(mediaType)) {
        refuse("media-type", place, "content is read and written as UTF-8 alone; write no other charset");
        return [];
      }
      const kind = kindOf(mediaType);
      if (!isObject(media) || media.schema === undefined) {
        if (kind === "json" || kind === "form" || kind === "multipart")
          refuse("content-without-schema", place, "content without a schema cannot be checked; add `schema`");
        return [{ mediaType, schema: undefined, fields: [] }];
      }
      const schema = pointerTo(place, "schema");
      if ((kind === "text" || kind === "bytes") && !isOfText(shapeOf(document, media.schema))) {
        refuse(
          "media-type",
          place,
          `content of media type ${mediaType} is not parsed, so its schema cannot be enforced; use application/json, or make the schema a string`,
        );
        return [];
      }
      const raw = kind === "multipart" && [...fieldsOf(document, media.schema)].find(isRaw)?.[0];
      if (typeof raw === "string") {
        refuse(
          "media-type",
          place,
          `field ${raw} would be read as text, while its contentMediaType is one of bytes; write format: binary instead, and its media type as contentType of its encoding`,
        );
        return [];
      }
      named.push({ name: "", pointer: schema });
      return [
        { mediaType, schema: names.use(schema, use, name), fields: readFields(place, media, mediaType) },
      ];
    });

  /** How a parameter or header is written, and by what schema it is judged. */
  const readWriting = (
    pointer: string,
    name: string,
    value: JsonObject,
    location: Parameter["in"],
    fallback: string,
  ) => {
    const [media] = entriesOf(value.content);
    const place =
      media === undefined ? pointerTo(pointer, "schema") : pointerTo(pointer, "content", media[0], "schema");
    const schema = media === undefined ? value.schema : isObject(media[1]) ? media[1].schema : undefined;
    if (schema === undefined) {
      refuse("parameter", pointer, "a parameter without `schema` cannot be checked; describe it by a schema");
      return undefined;
    }
    const ways = entriesOf(value.content).length + (value.schema === undefined ? 0 : 1);
    if (ways > 1) {
      const message = "a parameter is written in one way; keep `schema`, or one media type under `content`";
      refuse("parameter", pointer, message);
      return undefined;
    }
    const known: readonly string[] = styles[location];
    const fallbackStyle = defaultStyles[location];
    const style = value.style === undefined ? fallbackStyle : String(value.style);
    if (!known.includes(style)) {
      refuse(
        "parameter",
        pointerTo(pointer, "style"),
        `a ${location} parameter cannot be of style ${style}; use ${known.join(", ")}`,
      );
      return undefined;
    }
    refuseIgnored(pointer, value);
    const explode = value.explode ?? style === "form";
    named.push({ name, pointer: place });
    if (isSensitive(value)) sensitive.add(name);
    return {
      name,
      required: value.required === true || location === "path",
      type: shapeOf(document, schema),
      style: style === fallbackStyle ? undefined : (style as Style),
      explode: explode === (style === "form") ? undefined : explode === true,
      mediaType: media?.[0],
      schema: names.use(place, "parameter", fallback),
    };
  };

  const readParameters = (pointers: readonly string[], operationName: string): Parameter[] => {
    const parameters = new Map<string, Parameter>();
    for (const pointer of pointers) {
      const place = follow(document, pointer);
      const value = place.value;
      if (!isObject(value) || typeof value.name !== "string" || !parameterPlaces.has(value.in)) continue;
      const location = value.in as Parameter["in"];
      if (location === "header" && headersSaidElsewhere.has(value.name.toLowerCase())) {
        refuse(
          "ignored-header",
          place.pointer,
          `OpenAPI ignores a header parameter named ${value.name}; say it by \`content\` or \`security\``,
        );
        continue;
      }
      if (location === "path" && value.required !== true)
        refuse(
          "optional-path-parameter",
          pointerTo(place.pointer, "required"),
          "no path goes without its parameters; write `required: true`",
        );
      const fallback = `${operationName}${pascal(location)}${pascal(value.name)}`;
      const writing = readWriting(place.pointer, value.name, value, location, fallback);
      if (writing !== undefined) parameters.set(`${location} ${value.name}`, { in: location, ...writing });
    }
    return [...parameters.values()];
  };

  const readHeaders = (pointer: string, value: Json | undefined, name: string): Response["headers"] =>
    entriesOf(value).flatMap(([header]) => {
      const place = follow(document, pointerTo(pointer, header));
      if (!isObject(place.value)) return [];
      // OpenAPI ignores it: the media types under `content` say it.
      if (header.toLowerCase() === "content-type") return [];
      const writing = readWriting(place.pointer, header, place.value, "header", `${name}${pascal(header)}`);
      return writing === undefined ? [] : [writing];
    });

  const readResponses = (pointer: string, value: Json | undefined, operationName: string): Response[] =>
    entriesOf(value).flatMap(([status]) => {
      if (status.startsWith("x-")) return [];
      const place = follow(document, pointerTo(pointer, status));
      if (!/^(?:[2-5](?:\d\d|XX)|default)$/.test(status)) {
        refuse(
          "response-status",
          pointerTo(pointer, status),
          `responses by \`${status}\` cannot be answered; name statuses from 200 to 599, a range such as 4XX, or default`,
        );
        return [];
      }
      if (!isObject(place.value)) return [];
      const name = names.response(place.pointer, `${operationName}${pascal(status).replace(/^N/, "")}`);
      return [
        {
          name,
          status,
          headers: readHeaders(pointerTo(place.pointer, "headers"), place.value.headers, name),
          mediaTypes: readContentTypes(
            pointerTo(place.pointer, "content"),
            place.value.content,
            "response",
            name,
          ),
        },
      ];
    });

  const readContent = (pointer: string, operationName: string): Content | undefined => {
    const place = follow(document, pointer);
    if (!isObject(place.value)) return undefined;
    const content = pointerTo(place.pointer, "content");
    if (isObject(place.value.content) && Object.keys(place.value.content).length === 0)
      refuse(
        "content-without-media-type",
        content,
        "content without a media type cannot be sent; add application/json",
      );
    const mediaTypes = readContentTypes(content, place.value.content, "request", `${operationName}Content`);
    const [first] = mediaTypes;
    return {
      required: place.value.required === true,
      default: first?.schema && defaultOf(document, valueAt(document, first.schema.pointer)),
      mediaTypes,
    };
  };

  /** What is refused here stays a requirement, which no caller can meet: a waiver must not open an operation. */
  const readSecurity = (pointer: string, value: Json | undefined): SecurityRequirement[][] => {
    const alternatives = Array.isArray(value) ? value : [];
    return alternatives.map((alternative, index) =>
      entriesOf(alternative).map(([scheme, roles]) => {
        const place = pointerTo(pointer, index, scheme);
        const definition = follow(document, pointerTo("/components/securitySchemes", scheme)).value;
        const sent = sentAs(definition);
        if (sent !== "unknown") sensitive.add(typeof sent === "object" ? sent.name : "Authorization");
        if (definition === undefined)
          refuse(
            "security",
            place,
            `there is no security scheme ${scheme}; define it in \`components/securitySchemes\``,
          );
        // Without a type it is no scheme at all, which has been told of.
        else if (sent === "unknown" && isObject(definition) && definition.type !== undefined)
          refuse(
            "security",
            place,
            `security scheme ${scheme} is not supported; use an API key, OAuth 2.0, OpenID Connect, or \`type: http\` with \`scheme: bearer\` or \`basic\``,
          );
        return { scheme, sent, roles: Array.isArray(roles) ? roles.map(String) : [] };
      }),
    );
  };

  const readSecretPrefixes = (pointer: string): string[] =>
    entriesOf(valueAt(document, pointer)).flatMap(([scheme]) => {
      const { pointer: place, value } = follow(document, pointerTo(pointer, scheme));
      const prefix = isObject(value) ? value["x-secret-prefix"] : undefined;
      if (prefix === undefined) return [];
      if (typeof prefix === "string" && prefix !== "") return [prefix];
      refuse("secret-prefix", pointerTo(place, "x-secret-prefix"), "a secret prefix is text, such as sk_");
      return [];
    });

  const ids = operationIds(document);
  const operations = entriesOf(document.paths).flatMap(([path, item]) => {
    if (path.startsWith("x-") || !isObject(item)) return [];
    const place = pointerTo("/paths", path);
    const unroutable = path.split("/").filter((segment) => !segmentForm.test(segment));
    for (const segment of unroutable)
      refuse(
        "path-segment",
        place,
        /\}\{/.test(segment)
          ? `path segment \`${segment}\` cannot be told apart; put plain text between its parameters`
          : `path segment \`${segment}\` holds what no URL does; encode it with percent signs`,
      );
    const shared = parameterPointers(place, item);
    const operations = entriesOf(item).flatMap(([method, operation]): Operation[] => {
      if (!isMethod(method) || !isObject(operation)) return [];
      const pointer = pointerTo(place, method);
      const id = ids.get(pointer) ?? "";
      const name = pascal(id);
      const security = operation.security === undefined ? "/security" : pointerTo(pointer, "security");
      const parameters = readParameters([...shared, ...parameterPointers(pointer, operation)], name);
      const declared = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      for (const template of unusualNames(path))
        if (!declared.includes(template))
          refuse(
            "parameter",
            pointer,
            `the path parameter \`{${template}}\` is not declared; declare it under \`parameters\`, with \`in: path\``,
          );
      return [
        {
          id,
          pointer,
          method: method.toUpperCase(),
          path,
          security: readSecurity(security, operation.security ?? document.security),
          parameters,
          content: readContent(pointerTo(pointer, "requestBody"), name),
          responses: readResponses(pointerTo(pointer, "responses"), operation.responses, name),
        },
      ];
    });
    return unroutable.length > 0 ? [] : operations;
  });
  const unmatched = readResponses("/x-unmatched-responses", document["x-unmatched-responses"], "Unmatched");

  const secrets = sensitive.union(sensitiveNames(document, named));
  return {
    operations,
    unmatched,
    secretKeyPrefixes: readSecretPrefixes("/components/securitySchemes"),
    schemas: names.uses,
    sensitive: [...secrets].toSorted(),
  };
}

function isMethod(key: string): boolean {
  return methods.some((method) => method === key);
}

/** An identifier for each operation, by its place. What the spec calls by an identifier keeps its name. */
function operationIds(document: JsonObject): ReadonlyMap<string, string> {
  const places = entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(path.startsWith("x-") ? undefined : item).flatMap(([method, operation]) =>
      isMethod(method) && isObject(operation)
        ? [
            {
              pointer: pointerTo("/paths", path, method),
              id: operation.operationId,
              words: `${method} ${path}`,
            },
          ]
        : [],
    ),
  );
  const ids = new Map<string, string>();
  const taken = new Set<string>(namesOfClient);
  for (const { pointer, id } of places) {
    if (typeof id !== "string" || !operationIdForm.test(id) || taken.has(id)) continue;
    ids.set(pointer, id);
    taken.add(id);
  }
  for (const { pointer, id, words } of places) {
    if (ids.has(pointer)) continue;
    const name = pascal(typeof id === "string" && /[A-Za-z0-9]/.test(id) ? id : words);
    const made = unique(name.charAt(0).toLowerCase() + name.slice(1), taken);
    ids.set(pointer, made);
    taken.add(made);
  }
  return ids;
}

/** How content of a media type is read: only the names tell, and as the server does, which has no ranges. */
export function kindOf(mediaType: string): "json" | "form" | "multipart" | "text" | "bytes" | "any" {
  const essence = mediaType.replace(/;.*/s, "").trim().toLowerCase();
  if (/[/+]json$/.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence.includes("*") && !essence.startsWith("text/")) return "any";
  return essence.startsWith("text/") ? "text" : "bytes";
}

const jsonMediaType = "application/json";

/** OpenAPI 3.1, Encoding Object: what a field is sent as that does not say. Undefined for text. */
function fieldMediaType(
  document: JsonObject,
  schema: Json,
  type: Shape,
  kind: "form" | "multipart",
): string | undefined {
  if (isOfObjects(type)) return jsonMediaType;
  const part = schemaKeyword(document, schema, "items") ?? schema;
  const isBytes =
    schemaKeyword(document, part, "format") === "binary" || (kind === "multipart" && isOfAnything(part));
  return isBytes ? "application/octet-stream" : undefined;
}

/** A schema that says nothing of its values: `{}`, or with words for readers alone. */
function isOfAnything(schema: Json): boolean {
  const words = ["title", "description", "examples", "example", "deprecated"];
  return schema === true || (isObject(schema) && Object.keys(schema).every((key) => words.includes(key)));
}

function isOfText(shape: Shape): boolean {
  return shape === "string" || (Array.isArray(shape) && shape.includes("string"));
}

function isOfObjects(shape: Shape): boolean {
  if (typeof shape === "string") return false;
  if (Array.isArray(shape)) return !isOfText(shape) && shape.some(isOfObjects);
  return "properties" in shape || ("items" in shape && isOfObjects(shape.items));
}

/** OAuth 2.0 and OpenID Connect send what they issue as bearer tokens too (RFC 6750). */
function sentAs(definition: Json | undefined): SecurityRequirement["sent"] {
  if (!isObject(definition)) return "unknown";
  const { type, name } = definition;
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  const isPlace = ["header", "query", "cookie"].includes(String(definition.in));
  if (type === "apiKey" && typeof name === "string" && isPlace) return { in: String(definition.in), name };
  const scheme = String(definition.scheme).toLowerCase();
  return type === "http" && (scheme === "bearer" || scheme === "basic") ? scheme : "unknown";
}

export type ModelRule =
  | "media-type"
  | "content-without-schema"
  | "content-without-media-type"
  | "parameter"
  | "optional-path-parameter"
  | "allow-empty-value"
  | "allow-reserved"
  | "ignored-header"
  | "response-status"
  | "security"
  | "schema-dialect"
  | "secret-prefix"
  | "path-segment";

/** Hands out one name for each schema and use, and for each response, after the component where it is one. */
class Names {
  readonly uses: SchemaUse[] = [];
  readonly #document: JsonObject;
  readonly #byPlace = new Map<string, SchemaUse>();
  readonly #taken = new Set<string>();
  readonly #responses = new Map<string, string>();
  readonly #takenByResponses = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  use(pointer: string, use: SchemaUse["use"], fallback: string): SchemaUse {
    const target = followBare(this.#document, pointer).pointer;
    const known = this.#byPlace.get(`${use} ${target}`);
    if (known !== undefined) return known;
    const component = /^\/(?:components|sent)\/(?:schemas|headers|parameters)\/([^/]+)(?:\/schema)?$/.exec(
      target,
    )?.[1];
    const base = component === undefined ? fallback : pascal(component);
    const name = unique(this.#taken.has(base) ? `${base}As${pascal(use)}` : base, this.#taken);
    this.#taken.add(name);
    const created: SchemaUse = { name, pointer: target, use };
    this.#byPlace.set(`${use} ${target}`, created);
    this.uses.push(created);
    return created;
  }

  response(pointer: string, fallback: string): string {
    const known = this.#responses.get(pointer);
    if (known !== undefined) return known;
    const component = /^\/components\/responses\/([^/]+)$/.exec(pointer)?.[1];
    const name = unique(component === undefined ? fallback : pascal(component), this.#takenByResponses);
    this.#takenByResponses.add(name);
    this.#responses.set(pointer, name);
    return name;
  }
}

/** The name, or the name with the first number that makes it new. */
function unique(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count += 1) candidate = `${name}${count}`;
  return candidate;
}

/** `shelf_id` and `X-Request-Id` become `ShelfId` and `XRequestId`. */
function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}

function parameterPointers(pointer: string, holder: JsonObject): string[] {
  const list = Array.isArray(holder.parameters) ? holder.parameters : [];
  return list.map((_, index) => pointerTo(pointer, "parameters", index));
}
