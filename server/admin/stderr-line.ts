/** Returns a line for standard error. It is a JSON object with `--json`, and otherwise text. */
export function stderrLine(kind: "error" | "note", message: string, argv: readonly string[]): string {
  return argv.includes("--json") ? `${JSON.stringify({ [kind]: { message } })}\n` : `${kind}: ${message}\n`;
}
