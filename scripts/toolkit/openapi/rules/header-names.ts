/** Names of headers are not case-sensitive (RFC 9110, section 5.1). Equal names are found by another rule. */
import { itemPointers, pointerTo } from "../document.ts";
import { operationsIn } from "../grammar.ts";
import { isIgnored, parameterAt } from "../parameters.ts";
import type { Requirement } from "./requirement.ts";

/** The header parameters of a path item and of its operations that differ only in case from one before them. */
export const repeatedParameters: Requirement["wrong"] = (item, { document, pointer: start }) =>
  [[""], ...operationsIn(item).map(({ pointer }) => ["", pointer])].flatMap((holders) => {
    const spellings = new Map<string, string>();
    const places = holders.flatMap((holder) => itemPointers(item, `${holder}/parameters`));
    return places.filter((place) => {
      const parameter = parameterAt(document, start + place);
      if (parameter?.in !== "header" || isIgnored(parameter)) return false;
      const key = parameter.name.toLowerCase();
      const known = spellings.get(key) ?? parameter.name;
      spellings.set(key, known);
      return known !== parameter.name;
    });
  });

export const repeatedHeaders: Requirement["wrong"] = (headers) => {
  const known = new Set<string>();
  return Object.keys(headers).flatMap((name) => {
    const isRepeated = known.has(name.toLowerCase());
    known.add(name.toLowerCase());
    return isRepeated ? [pointerTo("", name)] : [];
  });
};
