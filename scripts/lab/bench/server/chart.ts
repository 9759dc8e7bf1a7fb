/** The ratios as a chart of bars in SVG, for light and for dark pages. */
import type { Figures, ScenarioRow } from "./figures.ts";

const width = 760;
const labelWidth = 250;
const barHeight = 16;
const rowHeight = 22;
const headHeight = 34;
const fullBar = width - labelWidth - 70;

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .bar { fill: #afb8c1; }
  .limit { fill: #d0d7de; }
  .own { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .bar { fill: #57606a; }
    .limit { fill: #32383f; }
    .own { fill: #3fb950; }
  }
`;

const measures = {
  cpu: { said: "by CPU time", of: ({ cpuRatio }: ScenarioRow) => cpuRatio },
  rate: { said: "by requests per second", of: ({ ratio }: ScenarioRow) => ratio.median },
};

/** Longer is faster; Node's own server, which does nothing but answer, is 1. */
export function chart({ scenarios, machine }: Figures): string {
  const parts: string[] = [];
  let y = 0;
  for (const { title, charted, rows } of scenarios) {
    if (charted === null) continue;
    const { said, of } = measures[charted];
    parts.push(`<text class="title" x="0" y="${y + 22}">${escaped(title)}, ${said}</text>`);
    y += headHeight;
    const most = Math.max(...rows.map(of));
    for (const row of rows) {
      parts.push(bar(row.program, of(row), most, y));
      y += rowHeight;
    }
  }
  y += headHeight;
  parts.push(`<text x="0" y="${y - 10}">${escaped(machine)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="How fast each server is, as a share of Node's own server">
<style>${style}</style>
${parts.join("\n")}
</svg>
`;
}

function bar(program: string, value: number, most: number, y: number): string {
  const kind = program.startsWith("this server") ? "own" : program === "node:http" ? "limit" : "bar";
  const length = Math.max(1, Math.round((value / most) * fullBar));
  const middle = y + 12.5;
  return [
    `<text x="0" y="${middle}">${escaped(program.replace(/ \+ .*/, " + validator"))}</text>`,
    `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
    `<text x="${labelWidth + length + 8}" y="${middle}">${value.toFixed(2)}</text>`,
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
