import { isObject, listOf, pointerTo } from "../document.ts";
import { sections } from "../grammar.ts";
import { unlistedTargets } from "./discriminators.ts";
import { undeclaredParameters } from "./expressions.ts";
import { repeatedHeaders, repeatedParameters } from "./header-names.ts";
import { fields, keys, type Requirement, servers, texts } from "./requirement.ts";
import { isCallbackKey, isMediaTypeList, isTemplate, isUrl } from "./text-forms.ts";

const names = {
  message: "this name may have only letters, digits, `.`, `-` and `_`; rename it",
  wrong: keys((key) => /^[\w.-]+$/.test(key)),
} as const;
const urls = {
  message: "this is not a URL; correct it, for example with `%20` instead of a space",
} as const;
const sameHeader = {
  message:
    "names of headers are not case-sensitive, so another line means the same header; keep one of them, or write both names alike",
} as const;

export const malformedFields: readonly Requirement[] = [
  { kinds: ["components"], paths: [...Object.values(sections), "mediaTypes"], ...names },
  { kinds: ["response"], paths: ["links"], ...names },
  {
    kinds: ["document"],
    paths: ["", "info", "info/contact", "info/license", "externalDocs", "tags/*/externalDocs"],
    ...urls,
    wrong: texts(["$self", "url", "termsOfService"], isUrl),
  },
  { kinds: ["operation", "schema"], paths: ["externalDocs"], ...urls, wrong: texts(["url"], isUrl) },
  { kinds: ["example"], ...urls, wrong: texts(["externalValue"], isUrl) },
  {
    kinds: ["securityScheme"],
    paths: ["", "flows/*"],
    ...urls,
    wrong: texts(
      [
        "openIdConnectUrl",
        "oauth2MetadataUrl",
        "authorizationUrl",
        "deviceAuthorizationUrl",
        "tokenUrl",
        "refreshUrl",
      ],
      isUrl,
    ),
  },
  {
    ...servers,
    only: ["3.2"],
    ...urls,
    wrong: texts(["url"], (url) => url !== "" && isUrl(url.replaceAll(/[{}]/g, ""))),
  },
  {
    kinds: ["document"],
    only: ["3.2"],
    message: "`$self` is the URL of the whole document; remove the part from `#` on",
    wrong: texts(["$self"], (url) => !url.includes("#")),
  },
  {
    kinds: ["document"],
    paths: ["info/contact"],
    message: "this is not an email address; write one such as support@example.com, or remove it",
    wrong: texts(["email"], (address) => /^[^\s@]+@[^\s@]+$/.test(address)),
  },
  {
    kinds: ["schema"],
    paths: ["xml"],
    message: "a namespace is a complete URL; write one such as https://example.com/books",
    wrong: texts(["namespace"], (uri) => /^[a-z][a-z\d+.-]*:/i.test(uri)),
  },
  {
    kinds: ["schema"],
    only: ["3.0"],
    message: "in OpenAPI 3.0, `required` has at least one name; remove the empty list",
    wrong: fields(["required"], ({ required }) => Array.isArray(required) && required.length === 0),
  },
  {
    kinds: ["securityScheme"],
    paths: ["flows/*/scopes"],
    message: "the description of a scope is a text; write one, such as `read: Read books.`",
    wrong: (scopes) =>
      Object.keys(scopes).flatMap((name) => (typeof scopes[name] === "string" ? [] : [pointerTo("", name)])),
  },
  {
    kinds: ["link"],
    message: "the `parameters` of a link are an object; write a name and a value for each",
    wrong: fields(["parameters"], ({ parameters }) => !isObject(parameters)),
  },
  {
    kinds: ["parameter", "header"],
    message:
      "a parameter or a header has exactly one media type in `content`; keep one, or add one such as `application/json: { schema: {} }`",
    wrong: fields(["content"], ({ content }) => isObject(content) && Object.keys(content).length !== 1),
  },
  {
    kinds: ["parameter"],
    only: ["3.2"],
    message: "a cookie cannot have the commas of `explode: false`; remove it",
    wrong: fields(["explode"], (parameter) => parameter.in === "cookie" && parameter.explode === false),
  },
  {
    kinds: ["encoding"],
    message: "this is no media type and no list of them; write one such as `image/png, image/jpeg`",
    wrong: texts(["contentType"], isMediaTypeList),
  },
  {
    kinds: ["encoding"],
    message:
      "a field of a form cannot have this style; use form, spaceDelimited, pipeDelimited or deepObject",
    wrong: texts(["style"], (style) =>
      ["form", "spaceDelimited", "pipeDelimited", "deepObject"].includes(style),
    ),
  },
  {
    ...servers,
    only: ["3.1", "3.2"],
    message: "paths are appended to this URL, so it must end before `?` and `#`; remove the rest",
    wrong: texts(["url"], (url) => !/[?#]/.test(url)),
  },
  {
    ...servers,
    message: "each variable occurs once in a URL, between two braces such as `{region}`; correct the URL",
    wrong: texts(["url"], (url) => isTemplate(url) && !/[{}]/.test(url.replaceAll(/\{[^{}]+\}/g, ""))),
  },
  {
    kinds: servers.kinds,
    paths: servers.paths.map((path) => `${path}/variables/*`),
    only: ["3.1", "3.2"],
    message: "the `enum` of this variable lacks its `default`; add it, or change the default",
    wrong: fields(
      ["enum"],
      (variable) => variable.default !== undefined && !listOf(variable.enum).includes(variable.default),
    ),
  },
  {
    kinds: servers.kinds,
    only: ["3.2"],
    message: "another server has this name; give each server its own name",
    wrong: (object) => {
      const names = listOf(object.servers).map((server) => (isObject(server) ? server.name : undefined));
      return names.flatMap((name, index) =>
        name !== undefined && names.indexOf(name) < index ? [`/servers/${index}/name`] : [],
      );
    },
  },
  {
    kinds: ["paths"],
    message: "this path has the same parameter twice; give each its own name",
    wrong: keys(isTemplate),
  },
  {
    kinds: ["paths"],
    only: ["3.2"],
    message: "a path has no empty segments; remove one `/` of each `//`",
    wrong: keys((path) => !path.includes("//")),
  },
  {
    kinds: ["callback"],
    message:
      "this is not the URL of a callback; write where the request has it, such as `{$request.body#/callbackUrl}` or `{$request.query.url}`",
    wrong: keys((key) => key === "$ref" || isCallbackKey(key)),
  },
  {
    kinds: ["pathItem"],
    message:
      "this takes a value from a parameter that the operation does not have; correct the name, or add the parameter",
    wrong: undeclaredParameters,
  },
  { kinds: ["pathItem"], ...sameHeader, wrong: repeatedParameters },
  { kinds: ["response", "encoding"], paths: ["headers"], ...sameHeader, wrong: repeatedHeaders },
  {
    kinds: ["schema"],
    message:
      "a discriminator selects one of the schemas in `oneOf` or `anyOf`, and this one is not there; add it, or remove this line",
    wrong: unlistedTargets,
  },
];
