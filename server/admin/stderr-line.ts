/** Returns the line of standard error: text, or a JSON object with `--json`. */
export function stderrLine(kind: "error" | "note", message: string, argv: readonly string[]): string {
  return argv.includes("--json") ? `${JSON.stringify({ [kind]: { message } })}\n` : `${kind}: ${message}\n`;
}
