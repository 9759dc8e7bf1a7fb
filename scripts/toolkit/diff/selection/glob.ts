/** `*` stands for a part of a segment, `**` for any number of segments. Braces are those of path templates. */
export function globPattern(glob: string): RegExp {
  const forms: Readonly<Record<string, string>> = {
    "*": "[^/]*",
    "**": ".*",
    "**/": "(?:.*/)?",
    "/**": "(?:/.*)?",
  };
  const source = glob.replaceAll(
    /\/\*\*$|\*\*\/|\*\*|\*|[\\^$.+?()[\]{}|]/g,
    (found) => forms[found] ?? `\\${found}`,
  );
  return new RegExp(`^${source}$`);
}

export function isGlob(text: string): boolean {
  return text.includes("*");
}
