/** Edits by hand of what is generated: of every file, of each sort that somebody might be tempted to make. */
import ts from "typescript";
import { chosen, type Group, type Mutant, type Sources } from "./mutant.ts";
import { SourceText } from "./source-text.ts";

/** Pages that are generated too, beside the folder. */
const pages = ["docs/client-operations.md"];
const manifest = "generated/manifest.json";
const mostOfEach = 1;
/** Of thousands of places, all alike. */
const mostOfEvery = 10;

export function generatedMutants(sources: Sources): Group[] {
  const { files }: { files: readonly string[] } = JSON.parse(sources.read(manifest));
  const paths = files.map((name) => `generated/${name}`);
  const stray: Mutant = {
    ...made("add-file", "generated/stray.ts", "", "a file of somebody's own among them"),
    text: "export {};\n",
  };
  const texts = [...paths.filter((path) => path.endsWith(".json")), ...pages];
  const gone = [...paths, ...pages].map((path) => ({
    ...made("delete-file", path, "", "the file is gone"),
    text: undefined,
  }));
  return [
    ...paths.filter((path) => /\.[jt]s$/.test(path)).flatMap((path) => ofSource(path, sources.read(path))),
    { mutants: texts.flatMap((path) => ofLines(path, sources.read(path))) },
    { mutants: [...gone, stray] },
  ];
}

function made(operator: string, file: string, place: string, title: string): Omit<Mutant, "text"> {
  const id = `generated:${operator}:${file}${place && `#${place}`}`;
  return { id, kind: "generated", operator, title, file };
}

/** How a node is edited; undefined where it is not of this sort. */
type Sort = (source: SourceText, node: ts.Node) => string | undefined;

const sorts: { readonly [operator: string]: Sort } = {
  "flip-boolean": (source, node) => {
    if (node.kind === ts.SyntaxKind.TrueKeyword) return source.replaced(node, "false");
    return node.kind === ts.SyntaxKind.FalseKeyword ? source.replaced(node, "true") : undefined;
  },
  "change-number": (source, node) =>
    ts.isNumericLiteral(node) ? source.replaced(node, String(Number(node.text) + 1)) : undefined,
  "change-string": (source, node) =>
    ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent)
      ? source.replaced(node, JSON.stringify(`${node.text}x`))
      : undefined,
  "drop-check": (source, node) => (ts.isIfStatement(node) ? source.removed(node) : undefined),
  "drop-property": (source, node) => (ts.isPropertyAssignment(node) ? source.removed(node) : undefined),
  "make-optional": (source, node) =>
    ts.isPropertySignature(node) && node.questionToken === undefined
      ? source.replaced(node.name, `${source.textOf(node.name)}?`)
      : undefined,
  "widen-type": (source, node) =>
    ts.isPropertySignature(node) && node.type !== undefined && source.textOf(node.type) !== "unknown"
      ? source.replaced(node.type, "unknown")
      : undefined,
};

function ofSource(file: string, text: string): Group[] {
  const source = new SourceText(file, text);
  const nodes = [...source.nodes()];
  return Object.entries(sorts).map(([operator, edit]) => {
    const counts = new Map<string, number>();
    const mutants = nodes.flatMap((node): Mutant[] => {
      const edited = edit(source, node);
      if (edited === undefined) return [];
      const path = source.pathOf(node);
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const place = `${path}${count === 1 ? "" : `/${count}`}`;
      const title = `\`${source.textOf(node).replaceAll(/\s+/g, " ").slice(0, 60)}\`, by hand (line ${source.lineOf(node)})`;
      return [{ ...made(operator, file, place, title), text: edited }];
    });
    return { most: mostOfEach, mutants: chosen({ mutants, most: mostOfEvery }) };
  });
}

/** Of a text that is no code: a line twice, a line gone, and a letter more. */
function ofLines(file: string, text: string): Mutant[] {
  const lines = text.split("\n");
  const middle = Math.floor(lines.length / 2);
  const line = lines[middle] ?? "";
  const edits: { readonly [operator: string]: readonly string[] } = {
    "repeat-line": [line, line],
    "drop-line": [],
    "change-line": [`${line}x`],
  };
  return Object.entries(edits).map(([operator, instead]) => ({
    ...made(operator, file, "", `line ${middle + 1}, by hand`),
    text: [...lines.slice(0, middle), ...instead, ...lines.slice(middle + 1)].join("\n"),
  }));
}
