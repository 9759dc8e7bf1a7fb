/** Keeping the list of problems. Helpers of the generated validators; each runs only once a fault has been found. */

/** A property name as one token of a JSON pointer (RFC 6901, section 3). */
export function escapeToken(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Puts the place of a part before the pointers that were found within it. */
export function prefix(problems, from, place) {
  for (let i = from; i < problems.length; i += 1) problems[i].pointer = place + problems[i].pointer;
}

/** Tells that problems are those of a property's name, not of its value. */
export function ofName(problems, from) {
  for (let i = from; i < problems.length; i += 1) problems[i].message = `name ${problems[i].message}`;
}

/** Gives the reason for which a property is rejected that another shape would allow. */
export function clarify(problems, from, place, tokens, message) {
  for (let i = from; i < problems.length; i += 1) {
    const { pointer, message: said } = problems[i];
    if (said !== "is not a known property" && said !== "is not allowed") continue;
    if (pointer.startsWith(place) && tokens.includes(pointer.slice(place.length)))
      problems[i].message = message;
  }
}

/** Adds the problems that stand in every one of the lists. */
export function pushShared(problems, lists) {
  const [first, ...others] = lists;
  for (const problem of first) {
    const isSame = ({ pointer, message }) => pointer === problem.pointer && message === problem.message;
    if (others.every((list) => list.some(isSame))) problems.push(problem);
  }
}

/** As many are told: who sends faults without number shall not have them looked for without end. */
export const mostFaults = 1000;

/** Drops problems that several parts of a schema have reported alike. Always false: there was one at least. */
export function settle(problems, from) {
  if (problems.length >= mostFaults)
    problems.push({ pointer: "", message: "may have more faults than are told" });
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
