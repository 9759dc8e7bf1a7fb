/** The format of generated code. It gets the next number if a type in `contract.ts` changes. */
export type Format = 1;
const newest: Format = 1;

/**
 * Generated code of this format and of the one before can be used.
 * @throws Error with both numbers and the fix
 */
export function assertFormat(found: number): void {
  if (found !== newest && found !== newest - 1)
    throw new Error(
      `generated code has format ${found}, but specbind-runtime needs format ${newest}: install the same version of specbind and specbind-runtime, and run \`npx specbind generate\``,
    );
}
