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
  // A group of one group is not needed. Without it, branches that use the same schema have the same group.
  return groups.map((group) =>
    isGroup(group) && group.message.length === 1 && isGroup(group.message[0]) ? group.message[0] : group,
  );
}

export function isGroup({ message }) {
  return typeof message !== "string";
}

/** Replaces the groups in the list by their problems, up to the maximum number. Says if problems may be missing. */
export function ungroup(problems, from, memory) {
  const found = [];
  for (const problem of problems.splice(from)) pushProblems(found, problem, "");
  problems.push(...found);
  if (memory.get("compared") > mostCompared && found.length < mostProblems)
    problems.push({ pointer: "", message: "may have more problems than are listed" });
}

export function pushProblems(problems, { pointer, message }, place) {
  if (problems.length >= mostProblems) return;
  if (typeof message === "string") problems.push({ pointer: place + pointer, message });
  else for (const problem of message) pushProblems(problems, problem, place + pointer);
}

export function distinct(problems) {
  if (problems.length >= mostProblems) return problems;
  const places = new Map();
  return problems.filter((problem) => addProblem(places, problem));
}

/** `places` has the messages of each pointer. Returns false if the problem was already added. */
export function addProblem(places, { pointer, message }) {
  const messages = places.get(pointer);
  if (messages === undefined) places.set(pointer, new Set([message]));
  else if (messages.has(message)) return false;
  else messages.add(message);
  return true;
}

/** Maximum number of comparisons inside groups in one call, because groups may differ at each level of a value. */
export const mostCompared = 10_000;

/** Adds the problems that all lists have in common, like `pushShared`. Compares the problems of groups only if the groups differ. */
export function pushCommon(problems, lists, memory) {
  const [first, ...others] = lists;
  const seen = others.map(placesOf);
  const views = seen.map((places) => [{ places, rest: "" }]);
  for (const problem of first)
    if (seen.every((places) => places.get(problem.pointer)?.has(problem.message))) problems.push(problem);
    else pushKnown(problems, problem, "", views, memory);
}

/** Adds the problem if all other lists have it, or the problems of the group that they have. */
export function pushKnown(problems, { pointer, message }, place, others, memory) {
  const compared = memory.get("compared") ?? 0;
  memory.set("compared", compared + 1);
  if (problems.length >= mostProblems || compared >= mostCompared) return;
  const below = others.map((views) => viewsBelow(views, pointer, memory));
  if (below.every((views) => views.some(({ places, rest }) => places.get(rest)?.has(message))))
    problems.push({ pointer: place + pointer, message });
  else if (typeof message !== "string" && below.every((views) => views.length > 0))
    for (const problem of message) pushKnown(problems, problem, place + pointer, below, memory);
}

/** A view is a list of problems, and the rest of the pointer from the list's place to the place that is compared. */
export function viewsBelow(views, pointer, memory) {
  const found = [];
  for (const { places, rest } of views) addViews(found, places, rest + pointer, memory);
  return found;
}

/** Adds the list if it can have problems at this place, and the groups in it that can. */
export function addViews(found, places, rest, memory) {
  if (found.some((view) => view.places === places && view.rest === rest)) return;
  memory.set("compared", memory.get("compared") + 1);
  const { longest } = places;
  if (rest.length <= longest) found.push({ places, rest });
  for (let end = rest.length; end >= 0; end = end > 0 ? rest.lastIndexOf("/", end - 1) : -1)
    for (const message of (end <= longest && places.get(rest.slice(0, end))) || [])
      if (typeof message !== "string") addViews(found, placesOnce(message, memory), rest.slice(end), memory);
}

export function placesOnce(list, memory) {
  const known = resultsOf(memory, placesOf);
  if (!known.has(list)) known.set(list, placesOf(list));
  return known.get(list);
}

/** Returns the messages of each pointer, and the length of the longest pointer. */
export function placesOf(list) {
  const places = new Map();
  places.longest = 0;
  for (const problem of list) {
    addProblem(places, problem);
    places.longest = Math.max(places.longest, problem.pointer.length);
  }
  return places;
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
  const results = resultsOf(memory, copy);
  if (results.get(value) !== out) results.set(value, copy(value, out, memory));
  return results.get(value);
}

/** Returns "0 and 2" if items 0 and 2 are equal, else "". The time is linear in the size of the items. */
export function repeatedItems(items, memory) {
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
  const numbers = resultsOf(memory, repeatedItems);
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
