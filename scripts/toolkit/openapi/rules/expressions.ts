/** Runtime expressions of links and callbacks. */
import { entriesOf, follow, isObject, type Json, pointerTo, valueAt } from "../document.ts";
import { operationsIn } from "../grammar.ts";
import { isIgnored, parametersAt } from "../parameters.ts";
import type { Requirement } from "./requirement.ts";
import { expressionsIn } from "./text-forms.ts";

/** The links and callbacks of a path item whose expressions name a parameter that their operation does not have. */
export const undeclaredParameters: Requirement["wrong"] = (item, { document, pointer: start }) =>
  operationsIn(item).flatMap(({ pointer, operation }) => {
    const declared = new Set(
      parametersAt(document, start, start + pointer).map((each) => keyOf(each.in, each.name)),
    );
    const isWrong = (value: Json): boolean =>
      typeof value === "string" && expressionsIn(value).some((each) => namesOther(each, declared));
    const callbacks = entriesOf(operation.callbacks).flatMap(([name, value]) =>
      isObject(value)
        ? Object.keys(value)
            .filter(isWrong)
            .map((key) => pointerTo(pointer, "callbacks", name, key))
        : [],
    );
    const links = entriesOf(operation.responses).flatMap(([status]) => {
      const response = pointerTo(start + pointer, "responses", status);
      return entriesOf(valueAt(follow(document, response).value, "/links")).flatMap(([name, link]) =>
        entriesOf(isObject(link) ? link.parameters : undefined).flatMap(([parameter, value]) =>
          isWrong(value)
            ? [pointerTo(pointer, "responses", status, "links", name, "parameters", parameter)]
            : [],
        ),
      );
    });
    return [...callbacks, ...links];
  });

function namesOther(expression: string, declared: ReadonlySet<string>): boolean {
  const [, location, name = ""] = /^\$request\.(path|query|header)\.(.*)$/is.exec(expression) ?? [];
  if (location !== "path" && location !== "query" && location !== "header") return false;
  return !isIgnored({ in: location, name }) && !declared.has(keyOf(location, name));
}

/** The names of headers are not case-sensitive. */
function keyOf(location: string, name: string): string {
  return `${location} ${location === "header" ? name.toLowerCase() : name}`;
}
