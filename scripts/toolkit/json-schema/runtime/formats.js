/** Helpers of the generated validators: string formats. All regular expressions run in linear time. */

/** Reads two digits at a position. Returns NaN if there are no two digits. */
export function twoDigits(text, at) {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** full-date of RFC 3339, section 5.6, with the days of the month of its appendix C. */
export function dateAt(text, at) {
  const year = twoDigits(text, at) * 100 + twoDigits(text, at + 2);
  const month = twoDigits(text, at + 5);
  const day = twoDigits(text, at + 8);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return false;
  if (text[at + 4] !== "-" || text[at + 7] !== "-") return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return day <= (leap ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

/** full-time of RFC 3339, section 5.6. A leap second is valid only at the end of a day in UTC. */
export function timeAt(text, at) {
  const hour = twoDigits(text, at);
  const minute = twoDigits(text, at + 3);
  const second = twoDigits(text, at + 6);
  if (!(hour <= 23 && minute <= 59 && second <= 60) || text[at + 2] !== ":" || text[at + 5] !== ":")
    return false;
  let end = at + 8;
  if (text[end] === ".") {
    const first = end + 1;
    end = first;
    while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1;
    if (end === first) return false;
  }
  let offset = 0;
  if (text[end] === "+" || text[end] === "-") {
    const hours = twoDigits(text, end + 1);
    const minutes = twoDigits(text, end + 4);
    if (!(hours <= 23 && minutes <= 59) || text[end + 3] !== ":" || text.length !== end + 6) return false;
    offset = (text[end] === "+" ? 1 : -1) * (hours * 60 + minutes);
  } else if ((text[end] !== "Z" && text[end] !== "z") || text.length !== end + 1) return false;
  return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

export function formatDate(text) {
  return text.length === 10 && dateAt(text, 0);
}

export function formatTime(text) {
  return timeAt(text, 0);
}

export function formatDateTime(text) {
  return dateAt(text, 0) && (text[10] === "T" || text[10] === "t") && timeAt(text, 11);
}

/** RFC 3339, appendix A: units in order and without gaps, or only weeks. */
export const durationPattern =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/u;

export function formatDuration(text) {
  return durationPattern.test(text);
}

/** RFC 4122, section 3. */
export const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu;

export function formatUuid(text) {
  return uuidPattern.test(text);
}

/** RFC 6901, section 3. */
export function formatJsonPointer(text) {
  return text === "" || (text[0] === "/" && !/~(?![01])/u.test(text));
}

/** draft-bhutton-relative-json-pointer: a number of steps up, then a pointer or `#` for the key. */
export function formatRelativeJsonPointer(text) {
  const steps = /^(?:0|[1-9]\d*)/u.exec(text);
  if (steps === null) return false;
  const rest = text.slice(steps[0].length);
  return rest === "#" || formatJsonPointer(rest);
}

/** ECMA-262 with the u flag, as JSON Schema recommends (core, 6.4). */
export function formatRegex(text) {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** RFC 4648, section 4. */
export function formatByte(text) {
  return text.length % 4 === 0 && /^[\w+/]*={0,2}$/u.test(text) && !text.includes("_");
}

/** RFC 6570, section 2. */
export const uriTemplatePattern =
  /^(?:[^\s"<>\\^`{|}%\p{Cc}]|%[\dA-Fa-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*(?::[1-9]\d{0,3}|\*)?)*\})*$/u;

export function formatUriTemplate(text) {
  return uriTemplatePattern.test(text);
}
