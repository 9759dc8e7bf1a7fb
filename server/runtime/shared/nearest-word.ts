/**
 * Returns the nearest word that differs only in case, in punctuation, in the order of letters, or in few letters.
 * @param most letters that may differ. Default: one of four
 */
export function nearestWord(word: string, words: readonly string[], most?: number): string | undefined {
  const letters = lettersOf(word);
  const candidates = words.flatMap((each) => {
    const others = lettersOf(each);
    const limit = most ?? Math.floor(Math.min(letters.length, others.length) / 4);
    if (Math.abs(letters.length - others.length) > limit) return [];
    const edits = editsBetween(letters, others);
    return edits <= limit || sorted(letters) === sorted(others) ? [{ each, edits }] : [];
  });
  return candidates.toSorted((a, b) => a.edits - b.edits)[0]?.each;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Makes words with the same letters equal, such as `port` and `prot`. */
function sorted(letters: string): string {
  return [...letters].sort().join("");
}

/** Letters to add, remove, replace or swap (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]];
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (twoAbove[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
