/**
 * Helpers of the generated validators for recursive unions. Without them, each level of a value can double the work.
 * `memory` exists during one call of an exported function. It has a Map for each function: from values to results.
 */

export function resultsOf(memory, work) {
  let results = memory.get(work);
  if (results === undefined) {
    results = new Map();
    memory.set(work, results);
  }
  return results;
}

export function matchOnce(matches, value, depth, memory) {
  if (typeof value !== "object" || value === null) return matches(value, depth, memory);
  const results = resultsOf(memory, matches);
  let result = results.get(value);
  if (result === undefined) {
    result = matches(value, depth, memory);
    results.set(value, result);
  }
  return result;
}

/** Adds the problems of the value as groups, because each level of a value would otherwise copy all problems below it. */
export function checkOnce(check, value, problems, depth, memory) {
  if (typeof value !== "object" || value === null) {
    check(value, problems, depth, memory);
    return;
  }
  const results = resultsOf(memory, check);
  const repeats = memory.get("repeats");
  let found = results.get(value);
  if (found === undefined) {
    found = [];
    check(value, found, depth, memory);
    // Without this, each level of a value could double the problems.
    if (memory.get("repeats") !== repeats) found = distinct(found);
    found = grouped(found);
    results.set(value, found);
  } else if (found.length > 0) memory.set("repeats", (repeats ?? 0) + 1);
  for (const { pointer, message } of found) {
    problems.push({ pointer, message });
    if (problems.length >= mostProblems) break;
  }
}

/**
 * A group is a problem whose message is a list of problems, and whose pointer is the place above them. Problems of the value
 * and of its properties are not grouped, because `clarify` changes them.
 */
export function grouped(problems) {
  const groups = [];
  let list;
  for (const problem of problems) {
    if (typeof problem.message === "string" && problem.pointer.lastIndexOf("/") <= 0) {
      groups.push(problem);
      list = undefined;
    } else if (list === undefined) {
      list = [problem];
      groups.push({ pointer: "", message: list });
    } else list.push(problem);
  }
  return groups;
}

/** Replaces the groups in the list by their problems, up to the maximum number. */
export function ungroup(problems, from) {
  const found = [];
  for (const problem of problems.splice(from)) pushProblems(found, problem, "");
  problems.push(...found);
}

export function pushProblems(problems, { pointer, message }, place) {
  if (problems.length >= mostProblems) return;
  if (typeof message === "string") problems.push({ pointer: place + pointer, message });
  else for (const problem of message) pushProblems(problems, problem, place + pointer);
}

export function distinct(problems) {
  if (problems.length >= mostProblems) return problems;
  const seen = new Map();
  return problems.filter((problem) => {
    if (hasProblem(seen, problem)) return false;
    addProblem(seen, problem);
    return true;
  });
}

/** `seen` has the pointers of each message. */
export function hasProblem(seen, { pointer, message }) {
  return seen.get(message)?.has(pointer) === true;
}

export function addProblem(seen, { pointer, message }) {
  const pointers = seen.get(message);
  if (pointers === undefined) seen.set(message, new Set([pointer]));
  else pointers.add(pointer);
}

/** Adds the problems that all lists have in common, like `pushShared`. Compares texts only in short lists. */
export function pushCommon(problems, lists) {
  const [first, ...others] = lists;
  const seen = others.map((list) => {
    const one = new Map();
    for (const problem of list) addProblem(one, problem);
    return one;
  });
  let texts;
  for (const problem of first)
    if (seen.every((one) => hasProblem(one, problem))) problems.push(problem);
    else {
      texts ??= others.map(shortTexts);
      pushShared(problems, [shortTexts([problem]), ...texts]);
    }
}

export function shortTexts(list) {
  const problems = [...list];
  ungroup(problems, 0);
  return problems.length > 50 ? [] : problems;
}

/** Defaults that are already collected are not collected again. */
export function fillOnce(fill, value, later, memory) {
  if (typeof value !== "object" || value === null) return;
  const results = resultsOf(memory, fill);
  if (results.has(value)) return;
  results.set(value, true);
  fill(value, later, memory);
}

/** The result needs no second call, because nothing is left to remove. */
export function withholdOnce(withhold, value, memory) {
  if (typeof value !== "object" || value === null) return value;
  const results = resultsOf(memory, withhold);
  let result = results.get(value);
  if (result === undefined) {
    result = withhold(value, memory);
    results.set(value, result);
    results.set(result, result);
  }
  return result;
}

/** A second call for the same copy would change nothing. */
export function copyOnce(copy, value, out, memory) {
  if (typeof value !== "object" || value === null) return copy(value, out, memory);
  const results = resultsOf(memory, copy);
  if (out !== undefined && results.get(value) === out) return out;
  const result = copy(value, out, memory) ?? out;
  results.set(value, result);
  return result;
}

/** Like `repeatedItems`, but compares numbers that stand for items, because the items may be long. */
export function repeatedOnce(items, memory) {
  const seen = new Map();
  for (let j = 0; j < items.length; j += 1) {
    const text = textOnce(items[j], memory);
    const i = seen.get(text);
    if (i !== undefined) return `${i} and ${j}`;
    seen.set(text, j);
  }
  return "";
}

/** Returns a short string that is the same only for equal values. Not recursive, so deep values cannot cause a stack overflow. */
export function textOnce(root, memory) {
  const texts = resultsOf(memory, textOnce);
  const numbers = resultsOf(memory, repeatedOnce);
  const isNew = (value) => typeof value === "object" && value !== null && !texts.has(value);
  const textOf = (value) =>
    typeof value === "object" && value !== null ? texts.get(value) : JSON.stringify(value);
  const pending = isNew(root) ? [root] : [];
  while (pending.length > 0) {
    const value = pending.at(-1);
    const parts = Object.values(value).filter(isNew);
    if (parts.length > 0) {
      for (const part of parts) pending.push(part);
      continue;
    }
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    const text = Array.isArray(value)
      ? `[${value.map(textOf).join()}]`
      : `{${keys
          .sort()
          .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`)
          .join()}}`;
    if (!numbers.has(text)) numbers.set(text, `#${numbers.size}`);
    texts.set(value, numbers.get(text));
    pending.pop();
  }
  return textOf(root);
}
