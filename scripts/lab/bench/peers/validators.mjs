import inputs from "./inputs.json" with { type: "json" };

const [library] = process.argv.slice(2);
const ms = 300;
const batch = 500;
const { default: document } = await import("../../../../generated/openapi.json", { with: { type: "json" } });
const { components } = document;

/**
 * Each library resolves to a function. It takes the name of a schema and returns the schema's validator. All validators report every
 * error.
 */
const libraries = {
  async generated() {
    const module = await import("../../../../generated/validators.js");
    return (name) => {
      const [validate, complete] = [module[`validate${name}`], module[`complete${name}`]];
      return (value) => {
        const isValid = validate(value, []);
        if (isValid) complete?.(value);
        return isValid;
      };
    };
  },
  async ajv() {
    const { Ajv2020 } = await import("ajv/dist/2020.js");
    const { default: addFormats } = await import("ajv-formats");
    const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "document", components });
    return (name) => ajv.compile({ $ref: `document#/components/schemas/${name}` });
  },
  async typebox() {
    const { Compile } = await import("typebox/schema");
    return (name) => {
      const compiled = Compile({ $ref: `#/components/schemas/${name}`, components });
      return (value) => compiled.Check(value) || compiled.Errors(value)[0];
    };
  },
  async zod() {
    const { schemas } = await import("./zod-schemas.mjs");
    return (name) => (value) => schemas[name].safeParse(value).success;
  },
};

function perSecond(validate, value, isValid, forMs) {
  let count = 0;
  const before = process.cpuUsage();
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    for (let index = 0; index < batch; index += 1)
      if (validate(value) !== isValid)
        throw new Error(`${library} has a wrong result for ${JSON.stringify(value)}`);
    count += batch;
  }
  const { user, system } = process.cpuUsage(before);
  return (count / (user + system)) * 1e6;
}

const validatorOf = await libraries[library]();
const rates = {};
for (const [name, values] of Object.entries(inputs)) {
  const validate = validatorOf(name);
  for (const kind of ["valid", "invalid"]) {
    perSecond(validate, values[kind], kind === "valid", ms / 2);
    rates[`${name} ${kind}`] = perSecond(validate, values[kind], kind === "valid", ms);
  }
}
process.stdout.write(JSON.stringify(rates));
