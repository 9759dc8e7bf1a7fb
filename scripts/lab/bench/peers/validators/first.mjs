/** Ends as soon as a library has validated one value of each schema: what a start of it costs. */
import { inputs } from "./inputs.mjs";

const [library] = process.argv.slice(2);
if (library !== undefined) {
  const { validators } = await import(`./${library}.mjs`);
  for (const [name, { valid }] of Object.entries(inputs))
    if (!validators[name](valid)) throw new Error(`${library} refuses a valid ${name}`);
}
