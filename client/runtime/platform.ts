/** True in pages and their workers. Server runtimes have neither `document` nor `importScripts`. */
export function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}
