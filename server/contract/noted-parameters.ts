/** Parameters that note which of them a handler looks at: one that no handler looks at does nothing. */
import type { ParameterValues } from "./parameters.ts";

/** @param used gets each parameter that is looked at, as `in /name` */
export function notedParameters(values: ParameterValues, used: Set<string>): ParameterValues {
  const noted = (place: keyof ParameterValues): Record<string, unknown> => {
    const copy = {};
    for (const [name, value] of Object.entries(values[place]))
      Object.defineProperty(copy, name, {
        enumerable: true,
        get: () => {
          used.add(`${place} /${name}`);
          return value;
        },
      });
    return copy;
  };
  return { path: noted("path"), query: noted("query"), header: noted("header"), cookie: noted("cookie") };
}
