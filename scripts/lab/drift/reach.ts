/**
 * Which files of a tree a file leads to: what it imports, and what it names in a text, for a test may start a program or
 * read a file. A name of a folder stands for all that is in it.
 */
import { posix } from "node:path";

const texts = /(["'`])((?:(?!\1)[^\\\n]|\\.)+)\1/g;
const imports = /(?:\bfrom|\bimport|\bimport\()\s*(["'])([^"'\n]+)\1/g;
const isTest = /\.(?:test|suite)\.ts$|(?:^|\/)testing(?:\/|\.ts$)/;

export class Reach {
  readonly #files: ReadonlySet<string>;
  readonly #named = new Map<string, readonly string[]>();
  readonly #read: (file: string) => string;

  constructor(files: readonly string[], read: (file: string) => string) {
    this.#files = new Set(files);
    this.#read = read;
  }

  /** The file itself and all that it leads to, however far. */
  from(file: string): Set<string> {
    const reached = new Set([file]);
    for (const each of reached) for (const next of this.#namedIn(each)) reached.add(next);
    return reached;
  }

  #namedIn(file: string): readonly string[] {
    const known = this.#named.get(file);
    if (known !== undefined) return known;
    const found = /\.(?:ts|js|mjs|json)$/.test(file) ? this.#filesNamedBy(file) : [];
    this.#named.set(file, found);
    return found;
  }

  #filesNamedBy(file: string): string[] {
    const named = new Set<string>();
    const pattern = isTest.test(file) ? texts : imports;
    for (const [, , text = ""] of this.#read(file).matchAll(pattern)) {
      // `scripts/generate/**`, `../main.ts`, `spec/openapi.yaml`
      const path = text.replace(/\/?[*{].*$/, "");
      for (const base of ["", posix.dirname(file)]) {
        const target = posix.normalize(posix.join(base, path)).replace(/\/$/, "");
        if (this.#files.has(target)) named.add(target);
        else if (text.includes("/") && target !== "." && !target.startsWith(".."))
          for (const each of this.#files) if (each.startsWith(`${target}/`)) named.add(each);
      }
    }
    return [...named];
  }
}
