/** Names the place of a change for people: a property, a parameter, a header or a component. */
import { isObject, type Json, tokensOf } from "../openapi/document.ts";

export interface Subject {
  /** Such as `of \`User\``, or "" for the body. */
  readonly holder: string;
  /** The path of properties below the holder, such as `address.zip`. */
  readonly path: string;
}

export function subjectAt(document: unknown, pointer: string): Subject {
  const tokens = tokensOf(pointer);
  let value: unknown = document;
  let holder = "";
  let path: string[] = [];
  const reset = (name: string): void => {
    holder = name;
    path = [];
  };
  for (const [index, token] of tokens.entries()) {
    const [outer, before] = [tokens[index - 2], tokens[index - 1]];
    if (outer === "components" && before === "schemas") reset(`\`${token}\``);
    else if (before === "headers" && outer !== "properties") reset(`header \`${token}\``);
    else if (before === "properties") path.push(`.${token}`);
    else if (["items", "prefixItems", "unevaluatedItems", "contains"].includes(token)) path.push("[]");
    else if (["additionalProperties", "unevaluatedProperties"].includes(token)) path.push(".*");
    else if (before === "patternProperties") path.push(`./${token}/`);
    value = memberOf(value, token);
    const { name, in: location }: { name?: Json; in?: Json } = isObject(value) ? value : {};
    if (typeof name === "string" && typeof location === "string" && before !== "properties")
      reset(`${location} parameter \`${name}\``);
  }
  return { holder, path: path.join("").replace(/^\./, "") };
}

function memberOf(value: unknown, token: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, token)
    ? Reflect.get(value, token)
    : undefined;
}

/** @param names of properties at the place. Without them, the result names the place itself */
export function named({ holder, path }: Subject, names: readonly string[] = []): string {
  const paths = names.length === 0 ? [path] : names.map((name) => (path === "" ? name : `${path}.${name}`));
  const shown = paths.filter((each) => each !== "").map((each) => `\`${each}\``);
  if (path === "[]" && names.length === 0) return holder === "" ? "the items" : `the items of ${holder}`;
  if (shown.length === 0) return holder === "" ? "the body" : holder;
  const isItems = shown.length === 1 && path.endsWith("[]") && names.length === 0;
  const kind = isItems ? "items" : shown.length === 1 ? "property" : "properties";
  return `${kind} ${shown.join(", ")}${holder === "" ? "" : ` of ${holder}`}`;
}
