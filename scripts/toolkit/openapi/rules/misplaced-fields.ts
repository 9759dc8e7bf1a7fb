import { entriesOf, follow, followed, isObject, listOf, pointerTo } from "../document.ts";
import { fields, type Requirement, values } from "./requirement.ts";

/** The values that each style can write (OpenAPI 3.2, Style Values). The other styles can write any value. */
const typesOfStyles: { readonly [style: string]: readonly string[] } = {
  spaceDelimited: ["array", "object"],
  pipeDelimited: ["array", "object"],
  deepObject: ["object"],
};
const form = /^(?:multipart\/|application\/x-www-form-urlencoded)/i;

export const misplacedFields: readonly Requirement[] = [
  {
    kinds: ["parameter", "header"],
    message: "only query parameters may have `allowEmptyValue`; remove it",
    wrong: fields(["allowEmptyValue"], (parameter) => parameter.in !== "query"),
  },
  {
    kinds: ["header"],
    message: "headers are not percent-encoded, so they have no `allowReserved`; remove it",
    wrong: fields(["allowReserved"], () => true),
  },
  {
    kinds: ["parameter"],
    only: ["3.0", "3.1"],
    message: "only query parameters have `allowReserved`; remove it",
    wrong: fields(
      ["allowReserved"],
      (parameter) => parameter.allowReserved === true && parameter.in !== "query",
    ),
  },
  {
    kinds: ["parameter"],
    only: ["3.2"],
    message: "headers are not percent-encoded, so they have no `allowReserved`; remove it",
    wrong: fields(
      ["allowReserved"],
      (parameter) => parameter.allowReserved === true && parameter.in === "header",
    ),
  },
  {
    kinds: ["parameter", "header"],
    message:
      "this field has no effect next to `content`, whose media type says how the value is written; remove it",
    wrong: fields(["style", "explode", "allowReserved"], ({ content }) => content !== undefined),
  },
  {
    kinds: ["parameter"],
    only: ["3.2"],
    message:
      "this style is not for this `type`: spaceDelimited and pipeDelimited are for arrays and objects, deepObject is for objects; remove it",
    wrong: ({ style, schema }, { document }) => {
      const types = typesOfStyles[String(style)];
      const target = schema === undefined ? undefined : followed(document, schema);
      const type = isObject(target) ? target.type : undefined;
      return types === undefined ||
        type === undefined ||
        [type].flat().some((each) => types.includes(String(each)))
        ? []
        : ["/style"];
    },
  },
  {
    kinds: ["requestBody", "response", "parameter", "header"],
    paths: ["content"],
    message: "only multipart and application/x-www-form-urlencoded have an `encoding`; remove it",
    wrong: values(({ encoding }, mediaType) => encoding !== undefined && !form.test(mediaType), "encoding"),
  },
  {
    kinds: ["response", "parameter", "header"],
    paths: ["content"],
    only: ["3.0", "3.1"],
    message: "before OpenAPI 3.2, only request bodies have an `encoding`; remove it",
    wrong: values(({ encoding }, mediaType) => encoding !== undefined && form.test(mediaType), "encoding"),
  },
  {
    kinds: ["schema"],
    message:
      "a discriminator selects one of several schemas, and there are none; add `oneOf` or `anyOf`, or remove the discriminator",
    wrong: ({ discriminator, oneOf, anyOf, allOf, $ref }, { pointer, extended }) =>
      isObject(discriminator) && (oneOf ?? anyOf ?? allOf ?? $ref) === undefined && !extended().has(pointer)
        ? ["/discriminator"]
        : [],
  },
  {
    kinds: ["schema"],
    message: "only arrays can be wrapped in XML; remove `wrapped`, or write `type: array`",
    wrong: ({ type, xml }) =>
      isObject(xml) && xml.wrapped === true && type !== undefined && ![type].flat().includes("array")
        ? ["/xml/wrapped"]
        : [],
  },
  {
    kinds: ["document", "operation"],
    only: ["3.0"],
    message: "in OpenAPI 3.0, only OAuth 2.0 and OpenID Connect have scopes; write an empty list: `[]`",
    wrong: ({ security }, { document }) =>
      listOf(security).flatMap((alternative, index) =>
        entriesOf(alternative).flatMap(([name, scopes]) => {
          const scheme = follow(document, pointerTo("/components/securitySchemes", name)).value;
          const { type } = isObject(scheme) ? scheme : {};
          const mayHaveScopes = type === undefined || type === "oauth2" || type === "openIdConnect";
          return mayHaveScopes || listOf(scopes).length === 0 ? [] : [pointerTo("/security", index, name)];
        }),
      ),
  },
];
