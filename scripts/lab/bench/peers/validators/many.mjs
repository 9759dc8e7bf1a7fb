/** Validates the same values for a while, and prints how many a second of this process' CPU time, as JSON. */
import { inputs } from "./inputs.mjs";

const [library, ms] = process.argv.slice(2);
const { validators } = await import(`./${library}.mjs`);
const batch = 500;

function perSecond(validate, value, isValid, forMs) {
  let count = 0;
  const before = process.cpuUsage();
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    for (let index = 0; index < batch; index += 1) {
      if (validate(value) !== isValid) throw new Error(`${library} judges wrongly: ${JSON.stringify(value)}`);
    }
    count += batch;
  }
  const { user, system } = process.cpuUsage(before);
  return (count / (user + system)) * 1e6;
}

const figures = {};
for (const [name, values] of Object.entries(inputs)) {
  for (const kind of ["valid", "invalid"]) {
    const judge = (forMs) => perSecond(validators[name], values[kind], kind === "valid", forMs);
    judge(ms / 2);
    figures[`${name} ${kind}`] = judge(Number(ms));
  }
}
process.stdout.write(JSON.stringify(figures));
