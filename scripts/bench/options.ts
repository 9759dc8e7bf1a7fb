/** What the benches' command lines have in common. */

/** @throws TypeError where the text is no whole number from 1 to `most` */
export function wholeNumber(text: string, option: string, most: number): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text);
  throw new TypeError(`--${option} must be a whole number from 1 to ${most}`);
}
