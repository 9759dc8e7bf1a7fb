/** What the benches' command lines have in common. */
import { UsageError } from "../../command.ts";

/** @throws UsageError where the text is no whole number from 1 to `most` */
export function wholeNumber(text: string, option: string, most: number): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`--${option} must be a whole number from 1 to ${most}`);
}
