/**
 * Code for `oneOf` and `anyOf` (JSON Schema core, 10.2.1.2 and 10.2.1.3). It reports the errors of the intended branch.
 */
import { pointerTo, type ValueType, valueTypes } from "../../openapi/document.ts";
import { acceptedTypes, declaredNames, haveDistinctTypes, isClosed } from "../analysis.ts";
import { below, literal, quote, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import { cheapFirst, type Schema } from "../schema.ts";
import { findTag, type Tag } from "../tags.ts";
import { constTest } from "./constants.ts";
import { simpleBranchesMessage, typeMessage, valuesMessage } from "./messages.ts";
import { acceptTest, typeTest } from "./type-tests.ts";

interface Union {
  scope: Scope;
  branches: readonly Schema[];
  value: string;
  place: ValuePath;
}

export function unionKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const branches = schema[keyword];
    if (!branches) continue;
    const [only] = branches;
    if (only && branches.length === 1) {
      scope.schema(only, value, place);
      continue;
    }
    const tag = findTag(schema, branches);
    const union = { scope, branches, value, place };
    if (!tag?.exact) untagged(union, tag, keyword === "oneOf" && !haveDistinctTypes(branches));
    else if (schema.type?.length === 1 && schema.type[0] === "object") selectByTag(union, tag);
    else
      scope.when(
        `!(${typeTest("object", value)})`,
        () => scope.problem(place, typeMessage(["object"])),
        () => selectByTag(union, tag),
      );
  }
}

function untagged(union: Union, tag: Tag | undefined, isExclusive: boolean): void {
  const { scope, branches, value, place } = union;
  const isSimple = simpleBranchesMessage(branches) !== undefined;
  if (!isSimple && !tag && haveDistinctTypes(branches)) {
    reportByType(union);
    return;
  }
  const tests = isExclusive
    ? branches.map((branch) => acceptTest(scope, branch, value))
    : testsInOrder(union, tag);
  const unmatched = () => (scope.mode === "test" ? scope.problem(place, "") : reportUnmatched(union, tag));
  if (!isExclusive) {
    scope.when(`!(${tests.join(" || ")})`, unmatched);
    return;
  }
  const matched = scope.variable("matched");
  scope.lines.line(`const ${matched} = ${tests.map((test) => `(${test} ? 1 : 0)`).join(" + ")};`);
  if (scope.mode === "test") {
    scope.problemWhen(`${matched} !== 1`, place, "");
    return;
  }
  scope.lines.chain([
    [`if (${matched} === 0)`, unmatched],
    [
      `else if (${matched} > 1)`,
      () => scope.problem(place, `must match exactly one of the ${branches.length} permitted shapes`),
    ],
  ]);
}

/** The branch that the discriminator selects is tested first. If it matches, the others are not tested. */
function testsInOrder({ scope, branches, value }: Union, tag: Tag | undefined): string[] {
  const tests = cheapFirst(branches).map((branch) => acceptTest(scope, branch, value));
  if (!tag || !branches.some(({ remembered }) => remembered)) return tests;
  const hold = scope.variable(tag.name);
  scope.lines.line(
    `const ${hold} = ${typeTest("object", value)} ? ${scope.property(value, tag.name)} : undefined;`,
  );
  const selected = branches.map(
    (branch, index) =>
      `(${constTest(scope, tag.values[index] ?? [], hold)}) && ${acceptTest(scope, branch, value)}`,
  );
  return [...selected, ...tests];
}

function selectByTag(union: Union, tag: Tag): void {
  const { scope, branches, value, place } = union;
  const at = below(place, tag.name);
  const hold = scope.variable(tag.name);
  scope.lines.line(`const ${hold} = ${scope.property(value, tag.name)};`);
  const links = branches.map((branch, index): [string, () => void] => [
    `${index === 0 ? "" : "else "}if (${constTest(scope, tag.values[index] ?? [], hold)})`,
    () => selectedBranch(union, branch, tag, hold),
  ]);
  const { otherwise } = tag;
  const unknown = () => {
    if (otherwise !== undefined) return selectedBranch(union, otherwise, tag, hold);
    scope.when(
      `${hold} === undefined`,
      () => scope.problem(at, "is required"),
      () => scope.problem(at, valuesMessage(tag.values.flat())),
    );
    if (scope.mode !== "test") problemsOfEveryBranch(union);
  };
  scope.lines.chain([...links, ["else", unknown]]);
}

/** For a value with an unknown tag: adds only the errors that all branches report. */
function problemsOfEveryBranch({ scope, branches, value, place }: Union): void {
  const lists = scope.variable("lists");
  scope.lines.line(`const ${lists} = [];`);
  for (const branch of branches) {
    scope.lines.block("", () => {
      scope.lines.line("const problems = [];");
      scope.schema(branch, value, place);
      scope.lines.line(`${lists}.push(problems);`);
    });
  }
  const isRemembered = branches.some(({ remembered }) => remembered);
  const push = scope.module.helper(isRemembered ? "pushCommon" : "pushShared");
  scope.lines.line(`${push}(problems, ${lists}${isRemembered ? ", memory" : ""});`);
}

function selectedBranch(union: Union, branch: Schema, tag: Tag, hold: string): void {
  const { scope, branches, value, place } = union;
  const foreign = foreignNames(branches, branch);
  if (scope.mode === "test" || foreign.length === 0 || !isClosed(branch)) {
    scope.schema(branch, value, place);
    return;
  }
  const before = scope.variable("before");
  scope.lines.line(`const ${before} = problems.length;`);
  scope.schema(branch, value, place);
  clarify(union, before, foreign, tag.name, hold);
}

/** Writes code that explains why a property of another branch is rejected. */
function clarify({ scope, place }: Union, before: string, foreign: string[], name: string, hold: string) {
  const tokens = literal(foreign.map((each) => pointerTo("", each)));
  const reason = `${quote(`is not allowed when ${name} is `)} + JSON.stringify(${hold})`;
  const call = `${scope.module.helper("clarify")}(problems, ${before}, ${scope.placeOf(place)}, ${tokens}, ${reason})`;
  scope.lines.line(`if (problems.length > ${before}) ${call};`);
}

function foreignNames(branches: readonly Schema[], branch: Schema): string[] {
  const own = declaredNames(branch);
  const others = new Set(branches.flatMap((other) => (other === branch ? [] : [...declaredNames(other)])));
  return [...others].filter((name) => !own.has(name));
}

/** Writes code for unevaluated properties. It explains which of them are allowed in another branch. */
export function clarifyUnevaluated(
  scope: Scope,
  schema: Schema,
  before: string,
  value: string,
  place: ValuePath,
): void {
  if (scope.mode === "test") return;
  for (const branches of [schema.anyOf, schema.oneOf]) {
    const tag = branches && findTag(schema, branches);
    if (!branches || !tag?.exact) continue;
    const hold = scope.variable(tag.name);
    scope.lines.line(`const ${hold} = ${scope.property(value, tag.name)};`);
    for (const [index, branch] of branches.entries()) {
      const foreign = foreignNames(branches, branch);
      if (foreign.length === 0) continue;
      scope.when(constTest(scope, tag.values[index] ?? [], hold), () =>
        clarify({ scope, branches, value, place }, before, foreign, tag.name, hold),
      );
    }
  }
}

/** Reports the errors of the branch if only one accepts the value's type, or else one message. */
function reportUnmatched(union: Union, tag: Tag | undefined): void {
  const { scope, branches, value, place } = union;
  const simple = scope.mode === "test" ? "" : simpleBranchesMessage(branches);
  if (simple !== undefined) scope.problem(place, simple);
  else if (!tag) reportByType(union);
  else
    scope.when(
      typeTest("object", value),
      () => selectByTag(union, tag),
      () => reportByType(union),
    );
}

function reportByType({ scope, branches, value, place }: Union): void {
  const accepted = branches.map(acceptedTypes);
  const takers = (type: ValueType) => branches.filter((_, index) => accepted[index]?.has(type));
  const shared = valueTypes.filter((type) => takers(type).length > 1);
  const rejected = valueTypes.filter((type) => takers(type).length === 0);
  const links: [string, () => void][] = [];
  const link = (types: readonly ValueType[], body: () => void) => {
    const test = types.map((type) => `(${typeTest(type, value)})`).join(" || ");
    if (types.length > 0) links.push([`${links.length === 0 ? "" : "else "}if (${test})`, body]);
  };
  for (const branch of branches)
    link(
      valueTypes.filter((type) => takers(type).length === 1 && takers(type)[0] === branch),
      () => scope.schema(branch, value, place),
    );
  const generic = () =>
    scope.problem(place, `must match at least one of the ${branches.length} permitted shapes`);
  if (rejected.length === 0 && links.length === 0) {
    generic();
    return;
  }
  if (rejected.length > 0 && rejected.length < valueTypes.length) {
    link(shared, generic);
    const possible = valueTypes.filter((type) => !rejected.includes(type));
    links.push(["else", () => scope.problem(place, typeMessage(possible))]);
  } else links.push(["else", generic]);
  if (links.length === 1) {
    links[0]?.[1]();
    return;
  }
  scope.lines.chain(links);
}
