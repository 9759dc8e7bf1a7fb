/** Colours are used only on a terminal, and only if NO_COLOR is empty or not set (https://no-color.org). */
export function hasColours(isTerminal: boolean | undefined, noColour: string | undefined): boolean {
  return isTerminal === true && !noColour;
}
