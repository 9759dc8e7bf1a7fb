/**
 * Draws an SVG chart of requests per second. It has its own background, so that it is readable on light and dark pages.
 */
import type { Figures, ServerFigures } from "./figures.ts";

const width = 780;
const margin = 16;
const barsAt = 256;
const longestBar = 400;
const rowHeight = 22;
const headHeight = 36;

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; }
  .page { fill: #ffffff; stroke: #d0d7de; }
  .bar { fill: #afb8c1; }
  .own { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; stroke: #3d444d; }
    .bar { fill: #57606a; }
    .own { fill: #3fb950; }
  }
`;

export function chart({ database, scenarios }: Figures): string {
  const title = `Requests per second on ${database}, more is better`;
  const parts = [line(margin, 26, `${title} (in brackets: as a share of bare node:http)`, "head")];
  let y = headHeight;
  for (const { title, rows } of scenarios) {
    parts.push(line(margin, y + 22, title, "head"));
    y += headHeight;
    // The log levels of this server differ by less than two runs. The tables have both.
    const shown = rows.filter(({ name }) => !name.endsWith("LOG_LEVEL=info"));
    const most = Math.max(...shown.map(({ requestsPerSecond }) => requestsPerSecond.median));
    for (const row of shown) {
      parts.push(bar(row, most, y));
      y += rowHeight;
    }
  }
  const height = y + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>${style}</style>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${parts.join("\n")}
</svg>
`;
}

function bar({ name, requestsPerSecond, share }: ServerFigures, most: number, y: number): string {
  const kind = name.startsWith("this server") ? "own" : "bar";
  const length = Math.max(1, Math.round((requestsPerSecond.median / most) * longestBar));
  const value = `${Math.round(requestsPerSecond.median).toLocaleString("en")} (${share.median.toFixed(2)})`;
  return [
    line(margin, y + 12.5, name.replace(/ \+ express.*/, " + validator").replace(/, LOG_LEVEL=.*/, "")),
    `<rect class="${kind}" x="${barsAt}" y="${y}" width="${length}" height="16" rx="2"/>`,
    line(barsAt + length + 8, y + 12.5, value),
  ].join("");
}

function line(x: number, y: number, text: string, kind = "text"): string {
  return `<text class="${kind}" x="${x}" y="${y}">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
