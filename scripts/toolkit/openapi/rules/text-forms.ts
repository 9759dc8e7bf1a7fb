/** The forms of texts. */

/** RFC 9110, section 5.6.2; OpenAPI 3.1, Runtime Expressions. */
const source = "(?:header\\.[\\w!#$%&'*+.^`|~-]+|(?:query|path)\\.[^{}]+|body(?:#(?:/[^{}]*)?)?)";
const expression = new RegExp(`^\\$(?:url|method|statusCode|(?:request|response)\\.${source})$`, "i");

/** The expressions of a text: the whole text, or its parts in braces. */
export function expressionsIn(text: string): string[] {
  return text.startsWith("$") ? [text] : [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inside = ""]) => inside);
}

/** A callback's key is an expression, or a text that has expressions in braces. */
export function isCallbackKey(key: string): boolean {
  return expressionsIn(key).every((each) => expression.test(each));
}

export function isTemplate(template: string): boolean {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Set(names).size === names.length;
}

/** RFC 3986, section 4.1. Letters beyond ASCII are allowed, as in IRIs (RFC 3987). */
const characters = `(?:[^\\s<>"{}|\\\\^\`%#]|%[\\da-f]{2})*`;
const url = new RegExp(`^(?:[a-z][a-z\\d+.-]*:|(?![^/?#]*:))${characters}(?:#${characters})?$`, "i");

export function isUrl(text: string): boolean {
  return url.test(text);
}

/** RFC 9110, sections 8.3.1 and 12.5.1. */
const mediaType = /^\s*[^\s/;]+\/[^\s/;]+(?:\s*;\s*[^\s=;]+=(?:[^\s";]+|"[^"]*"))*\s*$/;

export function isMediaTypeList(list: string): boolean {
  return list.split(",").every((each) => mediaType.test(each));
}
