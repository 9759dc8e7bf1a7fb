/** Helpers of the generated validators: changes of the list of problems. They run only after a problem was found. */

export function report(problems, pointer, message) {
  problems.push({ pointer, message });
}

/** Escapes a property name as one token of a JSON pointer (RFC 6901, section 3). */
export function escapeToken(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Adds the pointer of a part to the start of the pointers of its problems. */
export function prefix(problems, from, place) {
  for (let i = from; i < problems.length; i += 1) problems[i].pointer = place + problems[i].pointer;
}

/** Changes messages to say that the problem is in a property's name, not in its value. */
export function ofName(problems, from) {
  for (let i = from; i < problems.length; i += 1) problems[i].message = `name ${problems[i].message}`;
}

/** Replaces the message for properties that only another alternative allows. */
export function clarify(problems, from, place, tokens, message) {
  for (let i = from; i < problems.length; i += 1) {
    const { pointer, message: said } = problems[i];
    if (said !== "is not a known property" && said !== "is not allowed") continue;
    if (pointer.startsWith(place) && tokens.includes(pointer.slice(place.length)))
      problems[i].message = message;
  }
}

/** Adds the problems that all lists have in common. */
export function pushShared(problems, lists) {
  const [first, ...others] = lists;
  for (const problem of first) {
    const isSame = ({ pointer, message }) => pointer === problem.pointer && message === problem.message;
    if (others.every((list) => list.some(isSame))) problems.push(problem);
  }
}

/** Maximum number of collected problems, so that a body with many errors does not take unlimited time. */
export const mostProblems = 1000;

/** Keeps one of several equal problems. It is called only if there is a problem, so it always returns false. */
export function settle(problems, from) {
  if (problems.length >= mostProblems)
    problems.push({ pointer: "", message: "may have more problems than are listed" });
  const seen = new Set();
  let kept = from;
  for (let i = from; i < problems.length; i += 1) {
    const key = `${problems[i].pointer}\n${problems[i].message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    problems[kept] = problems[i];
    kept += 1;
  }
  problems.length = kept;
  return false;
}
