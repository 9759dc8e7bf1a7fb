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
import type { LoadedSpec } from "./load.ts";

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
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly schema: SchemaUse;
}

export interface Content {
  readonly required: boolean;
  /** What a caller means that sends none: the `default` at the root of the schema. */
  readonly default: Json | undefined;
  readonly mediaTypes: readonly { readonly mediaType: string; readonly schema: SchemaUse }[];
}

export interface Response {
  /** Shared by every operation that refers to the same component; a unique identifier in PascalCase. */
  readonly name: string;
  readonly status: number;
  readonly headers: readonly Omit<Parameter, "in">[];
  readonly mediaTypes: readonly { readonly mediaType: string; readonly schema: SchemaUse }[];
}

/** Schemes are alternatives to each other; all roles of one alternative are needed. */
export interface SecurityAlternative {
  readonly scheme: string;
  readonly roles: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly security: readonly SecurityAlternative[];
  readonly parameters: readonly Parameter[];
  readonly content: Content | undefined;
  readonly responses: readonly Response[];
}

export interface Model {
  readonly operations: readonly Operation[];
  /** What a request gets that matches no operation (`x-unmatched-responses`). */
  readonly unmatched: readonly Response[];
  readonly schemas: readonly SchemaUse[];
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const parameterPlaces = new Set<Json | undefined>(["path", "query", "header", "cookie"]);
const scalars = new Set<Json | undefined>(["string", "number", "integer", "boolean"]);
/** OpenAPI 3.1, Parameter Object: what is meant where `style` is left out. */
const defaultStyles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;
/** OpenAPI 3.1, Parameter Object: definitions of these three are ignored. */
const headersSaidElsewhere = new Set(["accept", "content-type", "authorization"]);
/** A router takes `:` and `*` for its own; nothing else of RFC 3986 has a meaning between slashes. */
const segmentForm = /^(?:\{[^{}:*?#]+\}|(?:[\w.~!$&'()+,;=@-]|%[\dA-Fa-f]{2})*)$/;
const operationIdForm = /^[a-z][A-Za-z0-9]*$/;

/** Reports every place that the contract cannot keep, and leaves it out. */
export function modelOf(spec: LoadedSpec): Model {
  const { document } = spec;
  const names = new Names(document);

  const refuse = (rule: ModelRule, pointer: string, message: string): void =>
    spec.report(rule, pointer, message);

  const readContentTypes = (pointer: string, value: Json | undefined, use: SchemaUse["use"], name: string) =>
    entriesOf(value).flatMap(([mediaType, media]) => {
      const place = pointerTo(pointer, mediaType);
      if (mediaType !== "application/json") {
        refuse(
          "media-type",
          place,
          `content of media type ${mediaType} is not supported yet; use application/json`,
        );
        return [];
      }
      if (!isObject(media) || media.schema === undefined) {
        refuse("content-without-schema", place, "content without a schema cannot be checked; add `schema`");
        return [];
      }
      return [{ mediaType, schema: names.use(pointerTo(place, "schema"), use, name) }];
    });

  const readScalar = (pointer: string, value: JsonObject): Parameter["type"] | undefined => {
    if (value.schema === undefined) {
      refuse(
        "parameter",
        pointer,
        "a parameter without `schema` is not supported yet; describe it by a schema",
      );
      return undefined;
    }
    const type = schemaKeyword(document, pointerTo(pointer, "schema"), "type");
    if (scalars.has(type)) return type as Parameter["type"];
    refuse(
      "parameter",
      pointerTo(pointer, "schema"),
      "a parameter whose schema is not of one scalar type is not supported yet; set `type` to string, number, integer or boolean",
    );
    return undefined;
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
      if (value.style !== undefined && value.style !== defaultStyles[location]) {
        refuse(
          "parameter",
          pointerTo(place.pointer, "style"),
          `style ${value.style} is not supported yet; leave it out for ${defaultStyles[location]}`,
        );
      }
      const type = readScalar(place.pointer, value);
      if (type === undefined) continue;
      const schema = pointerTo(place.pointer, "schema");
      parameters.set(`${location} ${value.name}`, {
        in: location,
        name: value.name,
        required: value.required === true,
        type,
        schema: names.use(schema, "parameter", `${operationName}${pascal(location)}${pascal(value.name)}`),
      });
    }
    return [...parameters.values()];
  };

  const readHeaders = (pointer: string, value: Json | undefined, name: string): Response["headers"] =>
    entriesOf(value).flatMap(([header]) => {
      const place = follow(document, pointerTo(pointer, header));
      if (!isObject(place.value)) return [];
      const type = readScalar(place.pointer, place.value);
      if (type === undefined) return [];
      const schema = names.use(pointerTo(place.pointer, "schema"), "parameter", `${name}${pascal(header)}`);
      return [{ name: header, required: place.value.required === true, type, schema }];
    });

  const readResponses = (pointer: string, value: Json | undefined, operationName: string): Response[] =>
    entriesOf(value).flatMap(([status]) => {
      if (status.startsWith("x-")) return [];
      const place = follow(document, pointerTo(pointer, status));
      if (!/^[2-5]\d\d$/.test(status)) {
        refuse(
          "response-status",
          pointerTo(pointer, status),
          `responses by \`${status}\` are not supported yet; name each status from 200 to 599`,
        );
        return [];
      }
      if (!isObject(place.value)) return [];
      const name = names.response(place.pointer, `${operationName}${status}`);
      return [
        {
          name,
          status: Number(status),
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
    if (entriesOf(place.value.content).length === 0)
      refuse(
        "content-without-media-type",
        content,
        "content without a media type cannot be sent; add application/json",
      );
    const mediaTypes = readContentTypes(content, place.value.content, "request", `${operationName}Content`);
    const [first] = mediaTypes;
    return {
      required: place.value.required === true,
      default: first && defaultOf(document, valueAt(document, first.schema.pointer)),
      mediaTypes,
    };
  };

  /** What is refused here stays an alternative, which no caller can meet: a waiver must not open an operation. */
  const readSecurity = (pointer: string, value: Json | undefined): SecurityAlternative[] => {
    const alternatives = Array.isArray(value) ? value : [];
    return alternatives.map((alternative, index) => {
      const place = pointerTo(pointer, index);
      const [scheme, ...others] = entriesOf(alternative);
      if (scheme === undefined || others.length > 0) {
        refuse(
          "security",
          place,
          "an alternative of none or several security schemes is not supported yet; name exactly one",
        );
        return { scheme: Object.keys(isObject(alternative) ? alternative : {}).join(" and "), roles: [] };
      }
      const [name, roles] = scheme;
      const definition = follow(document, pointerTo("/components/securitySchemes", name)).value;
      if (definition === undefined)
        refuse(
          "security",
          place,
          `there is no security scheme ${name}; define it in \`components/securitySchemes\``,
        );
      else if (!isBearer(definition))
        refuse(
          "security",
          place,
          `security scheme ${name} is not supported yet; use \`type: http\` with \`scheme: bearer\``,
        );
      return { scheme: name, roles: Array.isArray(roles) ? roles.map(String) : [] };
    });
  };

  const operations = entriesOf(document.paths).flatMap(([path, item]) => {
    if (path.startsWith("x-") || !isObject(item)) return [];
    const place = pointerTo("/paths", path);
    const unroutable = path.split("/").filter((segment) => !segmentForm.test(segment));
    for (const segment of unroutable)
      refuse(
        "path-segment",
        place,
        `path segment \`${segment}\` is not supported yet; make it either one \`{parameter}\` or plain text`,
      );
    const shared = parameterPointers(place, item);
    const operations = entriesOf(item).flatMap(([method, operation]): Operation[] => {
      if (!methods.includes(method) || !isObject(operation)) return [];
      const pointer = pointerTo(place, method);
      const id = operation.operationId;
      if (typeof id !== "string" || !operationIdForm.test(id)) {
        refuse(
          "operation-id",
          pointer,
          "an operation needs an `operationId` in camelCase: it names the handler and the client's function",
        );
        return [];
      }
      const name = pascal(id);
      const security = operation.security === undefined ? "/security" : pointerTo(pointer, "security");
      return [
        {
          id,
          method: method.toUpperCase(),
          path,
          security: readSecurity(security, operation.security ?? document.security),
          parameters: readParameters([...shared, ...parameterPointers(pointer, operation)], name),
          content: readContent(pointerTo(pointer, "requestBody"), name),
          responses: readResponses(pointerTo(pointer, "responses"), operation.responses, name),
        },
      ];
    });
    return unroutable.length > 0 ? [] : operations;
  });
  const unmatched = readResponses("/x-unmatched-responses", document["x-unmatched-responses"], "Unmatched");

  return { operations, unmatched, schemas: names.uses };
}

/** OAuth 2.0 and OpenID Connect send what they issue as bearer tokens too (RFC 6750). */
function isBearer(scheme: Json): boolean {
  if (!isObject(scheme)) return false;
  const isHttpBearer = scheme.type === "http" && String(scheme.scheme).toLowerCase() === "bearer";
  return isHttpBearer || scheme.type === "oauth2" || scheme.type === "openIdConnect";
}

export type ModelRule =
  | "media-type"
  | "content-without-schema"
  | "content-without-media-type"
  | "parameter"
  | "ignored-header"
  | "response-status"
  | "security"
  | "path-segment"
  | "operation-id";

/** Hands out one name for each schema and use, and for each response, after the component where it is one. */
class Names {
  readonly uses: SchemaUse[] = [];
  readonly #document: JsonObject;
  readonly #byPlace = new Map<string, SchemaUse>();
  readonly #taken = new Set<string>();
  readonly #responses = new Map<string, string>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  use(pointer: string, use: SchemaUse["use"], fallback: string): SchemaUse {
    const target = followBare(this.#document, pointer).pointer;
    const known = this.#byPlace.get(`${use} ${target}`);
    if (known !== undefined) return known;
    const component = /^\/components\/(?:schemas|headers|parameters)\/([^/]+)(?:\/schema)?$/.exec(
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
    const name = unique(
      component === undefined ? fallback : pascal(component),
      new Set(this.#responses.values()),
    );
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
