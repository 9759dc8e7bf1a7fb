/** Shorter words for the compiler's sentences. */
import { nearestWord } from "#specbind/nearest-word";

const maxWidth = 160;
/** The width of a type in a longer sentence. */
const maxTypeWidth = 60;

/** @returns one or two lines */
export function reworded(sentence: string): readonly string[] {
  for (const [pattern, words] of sentences) {
    const [whole, ...groups] = pattern.exec(sentence) ?? [];
    if (whole !== undefined) return words(...groups).map((line) => clipped(line, maxWidth));
  }
  if (sentence.length <= maxWidth) return [sentence];
  const withShortTypes = sentence.replaceAll(/'([^']+)'/g, (_, type) => `'${clipped(type, maxTypeWidth)}'`);
  return [clipped(withShortTypes, 2 * maxWidth)];
}

export const withoutStatus = "a response has no `status`; return it, for example `{ status: 200, body }`";

/** The sentences that a change of the spec causes most often. */
const sentences: readonly (readonly [RegExp, (...groups: string[]) => readonly string[]])[] = [
  [
    // The compiler names one of the documented statuses.
    /^Property 'status' is (?:missing|optional) in type '.*' but required in type '(?:DeclaredObject<)?\{ readonly status: \d+[; |]/,
    () => [withoutStatus],
  ],
  [
    /^Property '(.+?)' is (?:missing|optional) in type '(.*)' but required in type '(.*)'\.$/,
    (name = "", given = "", type = "") => {
      const required = namesIn(type);
      const nearest = nearestWord(
        name,
        namesIn(given).filter((each) => !required.includes(each)),
      );
      return nearest === undefined
        ? [`\`${name}\` is missing`, `required: ${type}`]
        : [`\`${nearest}\` is not allowed here; did you mean \`${name}\`?`];
    },
  ],
  [
    // Handlers accept responses with any status, and `Checked` names a wrong one.
    /^Type '(?:undefined|void)' is not assignable to type '(?:AnyResponse |(?:Awaitable|Promise)<AnyResponse )/,
    () => ["the handler may end without a return; return a response in every case"],
  ],
  [/^Type .* is not assignable to type '"(the spec .*|this property .*)"'\.$/, (words = "") => [words]],
  [
    /^(?:Argument of type|Type) '"(.*?)"' is not assignable to (?:parameter of )?type '("[^"]*"(?: \| "[^"]*")*)'\./,
    (given = "", union = "") => {
      const nearest = nearestWord(given, union.slice(1, -1).split('" | "'));
      return nearest === undefined
        ? [`"${given}" is not allowed here`, `allowed: ${union}`]
        : [`"${given}" is not allowed here; did you mean "${nearest}"?`];
    },
  ],
  [
    /^Type '(.*)' is not assignable to type '(.*)' with 'exactOptionalPropertyTypes: true'\./,
    (given, type) => [
      "an optional property must not be undefined; leave it out: `...(note !== undefined && { note })`",
      `given: ${given}; required: ${type}`,
    ],
  ],
  [
    /^Property '(.+?)' does not exist on type '(?:Promise|Awaitable)<.*>'\.$/,
    (name) => [`\`${name}\` does not exist on a promise; \`await\` it`],
  ],
  [
    /^Property '(.+?)' does not exist on type '(.*)'\.$/,
    (name = "", type = "") => {
      const names = namesIn(type);
      const nearest = nearestWord(name, names);
      const fix = nearest === undefined ? `it has ${names.join(", ")}` : `did you mean \`${nearest}\`?`;
      return [
        names.length === 0
          ? `Property '${name}' does not exist on type '${type}'.`
          : `\`${name}\` does not exist here; ${fix}`,
      ];
    },
  ],
  [
    /^Object literal may only specify known properties, but '(.+?)' does not exist in type '.*'\. Did you mean to write '(.+)'\?$/,
    (name, nearest) => [`\`${name}\` is not allowed here; did you mean \`${nearest}\`?`],
  ],
  [
    /^Object literal may only specify known properties, (?:and|but) '(.+?)' does not exist in type '(.*)'\./,
    (name, type) => [`\`${name}\` is not allowed here`, `allowed: ${type}`],
  ],
];

/** Returns the names of the properties of an object type, without those of nested objects. */
function namesIn(type: string): string[] {
  const flat = type.replace(/^(?:Readonly<)?\{|\}>?$/g, "").replaceAll(/\{[^{}]*\}/g, "");
  return [...flat.matchAll(/(?:^|;) (?:readonly )?(\w+)\??:/g)].flatMap(([, name]) => name ?? []);
}

/** Cuts after a member of a union, an object or a list, or else after a word, and counts what follows. */
function clipped(text: string, width: number): string {
  if (text.length <= width) return text;
  const members = text.split(/(?<=[;,]| \|) /);
  let kept = "";
  let count = 0;
  for (const member of members) {
    if (kept.length + member.length > width - 15) break;
    kept += `${member} `;
    count += 1;
  }
  if (count === 0) return `${text.slice(0, width).replace(/\s\S*$/, "")} …`;
  return `${kept.trimEnd().replace(/ \|$|[;,]$/, "")} … and ${members.length - count} more`;
}
