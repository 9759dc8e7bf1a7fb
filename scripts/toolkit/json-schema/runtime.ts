import { readFileSync } from "node:fs";

const files = ["values.js", "problems.js", "memory.js", "formats.js", "hosts.js", "addresses.js"];

interface Helper {
  name: string;
  text: string;
}

function readHelpers(): Helper[] {
  const source = files
    .map((file) => readFileSync(new URL(`runtime/${file}`, import.meta.url), "utf8"))
    .join("\n");
  return source.split(/\n(?=\/\*\*|export )(?<!\*\/\n)/u).flatMap((text) => {
    const name = /^export (?:function|const) (\w+)/mu.exec(text)?.[1];
    return name === undefined ? [] : [{ name, text: text.replace(/^export /mu, "").trim() }];
  });
}

let helpers: Helper[] | undefined;

/** Returns the code of these helpers and of all helpers that they use. */
export function runtimeSource(names: Iterable<string>): string[] {
  helpers ??= readHelpers();
  const used = new Set(names);
  for (const name of used) {
    const helper = helpers.find((each) => each.name === name);
    if (!helper) throw new Error(`there is no helper named ${name} in runtime/`);
    const code = helper.text.replace(/^\/\*\*.*?\*\//su, "");
    const words = new Set(code.match(/\w+/gu));
    for (const other of helpers) if (words.has(other.name)) used.add(other.name);
  }
  return helpers.filter((helper) => used.has(helper.name)).map((helper) => helper.text);
}
