/** Draws the matrix of a contract as one HTML page that needs nothing else, in the reader's light or dark colours. */
import type { OperationContract } from "../../generated/contract.ts";
import { type Cell, type CellKind, cellKinds, everyAnswer, isRight, keyOf, type Matrix } from "./cells.ts";
import { columnName, described } from "./summary.ts";

export interface PageOptions {
  readonly title: string;
  readonly version: string;
  readonly operations: { readonly [operationId: string]: Pick<OperationContract, "method" | "path"> };
}

const headings: { readonly [Kind in CellKind]: string } = {
  answer: "Answers",
  code: "Error codes",
  credential: "Credentials",
  content: "Content",
  value: "Places of the request",
  property: "Properties of answers",
  header: "Headers of answers",
};

/** @param shown the keys of the cells that tests have shown */
export function pageOf(matrix: Matrix, shown: ReadonlySet<string>, options: PageOptions): string {
  const { title, version, operations } = options;
  const names = [...new Set(matrix.cells.map(({ operation }) => operation))];
  const untested = matrix.cells.filter((cell) => !shown.has(keyOf(cell)));
  const sections = names.map((name) =>
    section(
      name,
      matrix.cells.filter(({ operation }) => operation === name),
      shown,
      operations[name],
    ),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contract coverage of ${escaped(title)}</title>
<style>${style}</style>
<header>
<h1>${escaped(title)} <small>${escaped(version)}</small></h1>
<p class="lead">${lead(matrix.cells, untested)}</p>
<dl class="figures">${cellKinds.map((kind) => figure(kind, matrix.cells, shown)).join("")}</dl>
<p class="legend"><span><i class="right"></i>taken or answered, as documented</span> <span><i class="wrong"></i>refused, as documented</span> <span><i class="untested"></i>not tested</span></p>
<nav>${names
    .map((name) =>
      overview(
        name,
        matrix.cells.filter(({ operation }) => operation === name),
        shown,
      ),
    )
    .join("")}</nav>
</header>
${untested.length === 0 ? "" : list("Not tested", untested.map(described))}
<main>${sections.join("\n")}</main>
${
  matrix.omissions.length === 0
    ? ""
    : list(
        "Not generated",
        matrix.omissions.map(({ operation, place, why }) => `${operation} ${place} ${why}`),
      )
}
</html>
`;
}

function lead(cells: readonly Cell[], untested: readonly Cell[]): string {
  const all = `all ${cells.length} things that the spec lets happen`;
  if (untested.length === 0) return `Tests have shown ${all}.`;
  return `Tests have shown ${cells.length - untested.length} of ${cells.length} things that the spec lets happen; <b>${untested.length} are not tested</b>.`;
}

function figure(kind: CellKind, cells: readonly Cell[], shown: ReadonlySet<string>): string {
  const own = cells.filter((cell) => cell.kind === kind);
  if (own.length === 0) return "";
  const done = own.filter((cell) => shown.has(keyOf(cell))).length;
  const share = Math.floor((done / own.length) * 100);
  return `<div><dt>${headings[kind]}</dt><dd>${done}<span> of ${own.length}</span></dd><progress max="100" value="${share}">${share}%</progress></div>`;
}

/** The operation's cells, one small square each. */
function overview(name: string, cells: readonly Cell[], shown: ReadonlySet<string>): string {
  const squares = cells.map((cell) => {
    const look = lookOf(cell, shown.has(keyOf(cell)));
    return `<i class="${look}" title="${escaped(titleOf(cell, look))}"></i>`;
  });
  const done = cells.filter((cell) => shown.has(keyOf(cell))).length;
  return `<a href="#${escaped(name)}"><b>${escaped(name)}</b><span>${squares.join("")}</span><em>${done} of ${cells.length}</em></a>`;
}

function list(heading: string, lines: readonly string[]): string {
  return `<section class="list"><h2>${heading}</h2><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul></section>`;
}

function section(
  name: string,
  cells: readonly Cell[],
  shown: ReadonlySet<string>,
  operation: PageOptions["operations"][string] | undefined,
): string {
  const isWhole = cells.every((cell) => shown.has(keyOf(cell)));
  const about =
    operation === undefined
      ? `<h2>${name === everyAnswer ? "What answers hold" : "Requests that match no operation"}</h2>`
      : `<h2>${escaped(name)}</h2><p class="address"><b>${operation.method}</b> ${escaped(operation.path)}</p>`;
  const groups = cellKinds.map((kind) => {
    const own = cells.filter((cell) => cell.kind === kind);
    return own.length === 0 ? "" : group(kind, own, shown);
  });
  return `<section class="operation${isWhole ? "" : " lacking"}" id="${escaped(name)}">${about}${groups.join("")}</section>`;
}

function group(kind: CellKind, cells: readonly Cell[], shown: ReadonlySet<string>): string {
  const rows = Map.groupBy(cells, ({ row }) => row);
  const isSingle = kind === "credential" || kind === "content";
  const lines = [...rows].map(([row, own]) => {
    const heading = isSingle ? "" : `<th scope="row">${rowLabel(kind, row)}</th>`;
    return `<tr>${heading}<td>${own.map((cell) => chip(cell, shown.has(keyOf(cell)))).join(" ")}</td></tr>`;
  });
  return `<h3>${headings[kind]}</h3><table class="${kind}">${lines.join("")}</table>`;
}

/** Deep places are indented, so that the shape of the request can be seen. */
function rowLabel(kind: CellKind, row: string): string {
  if (kind === "property" || kind === "header")
    return `<span title="${escaped(row)}">${escaped(row.replace(/^\/components\/[^/]+\//, ""))}</span>`;
  if (kind !== "value") return escaped(row);
  const [part = "", path = ""] = row.split(/ (.*)/s, 2);
  const steps = path.split("/").filter((step) => step !== "");
  const name = steps.at(-1);
  const depth = Math.max(0, steps.length - 1);
  const label = `${part === "body" || depth > 0 ? "" : `${part} `}${name ?? "as a whole"}`;
  return `<span style="padding-left:${depth * 0.9}em" title="${escaped(row)}">${escaped(label)}</span>`;
}

type Look = "right" | "wrong" | "untested";

function lookOf(cell: Cell, isShown: boolean): Look {
  const isTaken =
    isHeld(cell) ||
    isRight(cell.column) ||
    (cell.kind === "answer" && cell.row.startsWith("2")) ||
    isMediaType(cell);
  return isShown ? (isTaken ? "right" : "wrong") : "untested";
}

/** Whether it is of what answers hold, and not of what is taken or refused. */
function isHeld({ kind }: Cell): boolean {
  return kind === "property" || kind === "header";
}

const sayings = { right: "taken", wrong: "refused", untested: "not tested" } as const;

function titleOf(cell: Cell, look: Look): string {
  const said = isHeld(cell) && look === "right" ? "answered" : sayings[look];
  return `${cell.row} ${isHeld(cell) ? cell.column : columnName(cell.column)}: ${said}`;
}

function chip(cell: Cell, isShown: boolean): string {
  const look = lookOf(cell, isShown);
  return `<span class="${look}" title="${escaped(titleOf(cell, look))}">${escaped(isHeld(cell) ? cell.column : columnName(cell.column))}</span>`;
}

function isMediaType({ kind, column }: Cell): boolean {
  return kind === "content" && column.includes("/");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const style = `
:root { color-scheme: light dark; --paper: light-dark(#fbfaf7, #16181b); --ink: light-dark(#1d2126, #e8e6e1);
  --soft: light-dark(#667079, #9aa3ab); --line: light-dark(#e3e0d8, #2c3136); --card: light-dark(#fff, #1d2024);
  --right: light-dark(#1a7f4b, #4cc38a); --right-ground: light-dark(#e2f4ea, #12301f);
  --wrong: light-dark(#2a5fb0, #7fb0f5); --wrong-ground: light-dark(#e6eefa, #152641);
  --lack: light-dark(#b3261e, #ff8f85); --lack-ground: light-dark(#fde8e6, #43150f); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 100rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; letter-spacing: -.01em; } h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
h2 { margin: 0; font-size: 1.1rem; } h3 { margin: 1.1rem 0 .35rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.lead { margin: .3rem 0 1.2rem; color: var(--soft); } .lead b { color: var(--lack); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin: 0 0 1rem; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem; }
dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; } dd span { color: var(--soft); font-size: .95rem; }
progress { appearance: none; width: 100%; height: .35rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--lack-ground); }
progress::-webkit-progress-bar { background: var(--lack-ground); } progress::-webkit-progress-value { background: var(--right); } progress::-moz-progress-bar { background: var(--right); }
.legend { color: var(--soft); font-size: .85rem; margin: 0 0 1.5rem; } .legend i { display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .4em; vertical-align: -.05em; }
.legend span { white-space: nowrap; margin-right: 1rem; } .legend i.right { background: var(--right); } .legend i.wrong { background: var(--wrong); } .legend i.untested { background: var(--lack); }
nav { margin: 0 0 1.5rem; } nav a { display: flex; gap: .4rem 1rem; align-items: baseline; flex-wrap: wrap; padding: .45rem 0; border-top: 1px solid var(--line);
  color: inherit; text-decoration: none; } nav a:hover b { text-decoration: underline; } nav b { width: 11rem; font-weight: 600; }
nav span { flex: 1 1 18rem; display: flex; flex-wrap: wrap; gap: 3px; align-self: center; } nav i { width: 11px; height: 11px; border-radius: 2px; }
nav i.right { background: var(--right); } nav i.wrong { background: var(--wrong); } nav i.untested { background: var(--lack); outline: 2px solid var(--lack); outline-offset: 1px; }
nav em { color: var(--soft); font-style: normal; font-size: .85rem; font-variant-numeric: tabular-nums; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.2rem; align-items: start; }
.operation, .list { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: 1.1rem 1.2rem; min-width: 0; }
.lacking { border-color: var(--lack); } .list { margin: 1.2rem 0; } .list ul { margin: .4rem 0 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.address { margin: 0; color: var(--soft); font: .85rem ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .18rem 0; vertical-align: top; text-align: left; }
th { font: 400 .82rem/1.7 ui-monospace, monospace; padding-right: .8rem; width: 12rem; overflow-wrap: anywhere; }
.answer th, .code th { width: 4rem; } tr + tr { border-top: 1px solid var(--line); }
td span { display: inline-block; padding: 0 .5em; border-radius: .35rem; font-size: .78rem; line-height: 1.65; }
.right { color: var(--right); background: var(--right-ground); } .wrong { color: var(--wrong); background: var(--wrong-ground); }
.untested { color: var(--lack); background: var(--lack-ground); outline: 1.5px solid var(--lack); font-weight: 600; }
@media (max-width: 40rem) { body { padding-top: 1.2rem; } th { width: 8.5rem; } .operation { padding: .9rem; } }
`;
