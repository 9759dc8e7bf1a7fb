/** Finds the places of a spec where one small change may alter the interface, and selects some of them by a seed. */
import { hash } from "node:crypto";
import { type Document, isMap, LineCounter, parseDocument } from "yaml";
import type { Json } from "../../toolkit/openapi/document.ts";
import type { RandomChange } from "./random-changes.ts";

type Path = readonly string[];
type Edit = readonly [kind: string, after: string, apply: (document: Document) => void];

/** Returns the `count` changes with the smallest hashes. Each also raises the version, as `npm run diff` requires. */
export function specChanges(file: string, text: string, count: number, seed: number): RandomChange[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const places = placesIn(document.toJS(), []).flatMap(([path, value]) =>
    editsOf(path, value).map((edit) => {
      const id = hash("sha256", [seed, edit[0], edit[1], ...path].join("\n")).slice(0, 12);
      return { id, path, value, edit };
    }),
  );
  return places
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map(({ id, path, value, edit: [kind, after, apply] }) => {
      const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined;
      const { line } = lines.linePos(node?.range?.[0] ?? 0);
      const before = `${path.join("/")}: ${JSON.stringify(value)}`;
      return { id, kind, file, line, before, after, text: edited(document, apply) };
    });
}

/** The spec with a higher version and no other change. All stages must pass with it. */
export function withRaisedVersion(text: string): string {
  return edited(parseDocument(text), () => {});
}

function edited(document: Document, apply: Edit[2]): string {
  const copy = document.clone();
  copy.setIn(["info", "version"], "99.0.0");
  apply(copy);
  // Tests apply patches to the spec, so its style matters.
  return copy.toString({ lineWidth: 0 }).replaceAll(/\[ ([\w,. ]*) \]/g, "[$1]");
}

const isExample = /^examples?$/;
/** Texts for readers, and what is not part of the interface. */
const isUnobservable = /^(?:description|summary|title|tags|info|openapi|externalDocs|x-enumDescriptions)$/;

function placesIn(value: Json, path: Path): (readonly [Path, Json])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => {
    if (isUnobservable.test(key) && !named.test(path.at(-1) ?? "")) return [];
    const own = [[...path, key], held] as const;
    // The values of examples may have keys that look like keywords.
    return isExample.test(path.at(-1) ?? "") ? [own] : [own, ...placesIn(held, own[0])];
  });
}

/** Keywords whose keys are names, so that a key can be renamed or copied. */
const named = /^(?:properties|paths|responses|content|headers|\/.*)$/;

function editsOf(path: Path, value: Json): Edit[] {
  const [key = "", holder = ""] = [path.at(-1), path.at(-2)];
  const above = path.slice(0, -1);
  const set = (kind: string, changed: Json, at = path): Edit => [
    kind,
    JSON.stringify(changed),
    (document) => document.setIn(at, document.createNode(changed, { flow: true })),
  ];
  const edits: Edit[] = [["remove", "", (document) => void document.deleteIn(path)]];
  if (isExample.test(holder)) return edits;
  if (typeof value === "boolean") edits.push(set("boolean", !value));
  if (typeof value === "number") edits.push(set("number", value + 1));
  if (key === "type" && typeof value === "string") edits.push(set("null", [value, "null"]));
  else if (typeof value === "string" && !value.startsWith("#/")) edits.push(set("text", `${value}x`));
  if (holder === "enum") edits.push(set("copy", `${value}x`, [...above, "99"]));
  if (named.test(holder)) {
    const other = otherName(key);
    edits.push(["copy", other, (document) => document.setIn([...above, other], document.createNode(value))]);
    edits.push([
      "rename",
      other,
      (document) => {
        const map = document.getIn(above);
        const pair = isMap(map) ? map.items.find((item) => String(item.key) === key) : undefined;
        if (pair !== undefined) pair.key = document.createNode(other);
      },
    ]);
  }
  return edits;
}

function otherName(key: string): string {
  if (/^\d{3}$/.test(key)) return String(Number(key) + 1);
  if (/^\w+\/[\w.+-]+$/.test(key)) return "text/plain";
  return { get: "post", post: "put" }[key] ?? `${key}x`;
}
