/** Path segments with several parameters. */
import type { Parameter } from "../model.ts";
import type { ModelScope } from "./scope.ts";

/** What a value of these styles begins with (RFC 6570, sections 3.2.5 and 3.2.7). */
const firstOf: { readonly [style: string]: string } = { label: ".", matrix: ";" };

/**
 * Reports parameters of the same segment if their values have two readings.
 *
 * @returns whether no reading is more probable, so that the path has no route
 */
export function reportAmbiguous(
  scope: ModelScope,
  pointer: string,
  path: string,
  parameters: readonly Parameter[],
): boolean {
  const declared = (name: string) => parameters.find((each) => each.in === "path" && each.name === name);
  let isAmbiguous = false;
  for (const segment of path.split("/")) {
    const pieces = segment.split(/\{([^{}]+)\}/);
    for (let index = 1; index + 2 < pieces.length; index += 2) {
      const [left = "", text = "", right = ""] = pieces.slice(index);
      const said = `path segment \`${segment}\` is ambiguous: `;
      const first = firstOf[declared(right)?.style ?? ""];
      if (text === "" && first !== ";" && (first === undefined || mayContain(declared(left), first))) {
        isAmbiguous = true;
        const two = `\`123\` may be ${left}=12 and ${right}=3, or ${left}=1 and ${right}=23`;
        scope.report(
          "path-segment",
          pointer,
          `${said}${two}; put text between them, such as \`{${left}}-{${right}}\``,
        );
      } else if (text !== "" && mayContain(declared(left), text) && mayContain(declared(right), text)) {
        const [begin, end] = [`1${text}2`, `2${text}3`];
        const two = `\`1${text}${end}\` is read as ${left}=${begin} and ${right}=3, not as ${left}=1 and ${right}=${end}; put other text between the parameters`;
        scope.note("path-segment", pointer, said + two);
      }
    }
  }
  return isAmbiguous;
}

/** False if the parameter's types exclude the text. */
function mayContain(parameter: Parameter | undefined, text: string): boolean {
  const forms: { readonly [type: string]: RegExp } = {
    integer: /^\d+$/,
    number: /^(?:\.|e[+-]?|\d+)$/i,
    boolean: /^[a-z]+$/,
  };
  return [parameter?.type ?? "string"].flat().some((type) => forms[String(type)]?.test(text) ?? true);
}
