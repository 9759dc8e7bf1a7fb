/** Helpers of the generated validators: host names, including internationalized ones. */

/**
 * RFC 1123, section 2.1, with the lengths of RFC 1035, section 2.3.4. With the flags `iu`, it would match non-ASCII
 * letters.
 */
export const hostnamePattern =
  /^[\dA-Za-z](?:[\dA-Za-z-]{0,61}[\dA-Za-z])?(?:\.[\dA-Za-z](?:[\dA-Za-z-]{0,61}[\dA-Za-z])?)*$/u;

export function asciiHostname(text) {
  return text.length <= 253 && hostnamePattern.test(text);
}

/** An A-label must be the form of a valid U-label (RFC 5890, section 2.3.2.1). */
export function formatHostname(text) {
  return (
    asciiHostname(text) && (!text.includes("--") || !/(?:^|\.)xn--/iu.test(text) || formatIdnHostname(text))
  );
}

/** A-labels or U-labels of IDNA 2008 (RFC 5890). `URL` maps them by UTS 46. */
export function formatIdnHostname(text) {
  if (/(?![A-Za-z\d.-])\p{ASCII}/u.test(text)) return false;
  const name = asciiName(text);
  if (name === undefined || !asciiHostname(name)) return false;
  const labels = name.split(".").map(unicodeLabel);
  if (labels.includes(undefined)) return false;
  // Bidi rule of RFC 5893, section 2, for left-to-right labels. `URL` checks right-to-left labels.
  return (
    !labels.some((label) => rightToLeftPattern.test(label)) || !labels.some((label) => /^\d/u.test(label))
  );
}

/** Returns the host as `URL` maps it. The added label prevents `URL` from reading numbers as an address. */
export function asciiName(text) {
  return URL.parse(`http://${text}.a`)?.hostname.slice(0, -2);
}

/** Blocks of right-to-left characters. Extended Arabic-Indic digits are neutral, like ASCII digits. */
export const rightToLeftPattern =
  /(?![\u{6f0}-\u{6f9}])[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** RFC 5892, appendix A.1 and A.3 to A.7: characters that are allowed only in some contexts. */
export function contextHolds(label) {
  if (
    /(?<!l)\u{b7}|\u{b7}(?!l)|\u{375}(?!\p{Script=Greek})|(?<!\p{Script=Hebrew})[\u{5f3}\u{5f4}]/u.test(label)
  )
    return false;
  if (label.includes("\u30fb") && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label))
    return false;
  if (/[\u{660}-\u{669}]/u.test(label) && /[\u{6f0}-\u{6f9}]/u.test(label)) return false;
  // In a label with several joiners, `URL` checks each joiner in a label of its own.
  const parts = label.split("\u200c");
  return (
    parts.length < 3 || parts.slice(1).every((part, i) => asciiName(`${parts[i]}\u200c${part}`) !== undefined)
  );
}

/** RFC 5892, section 2: stable letters, digits and marks, without the exceptions. A mark must not be first. */
export const labelPattern =
  /^(?!\p{M})(?:[a-z\d\u{b7}\u{df}\u{375}\u{3c2}\u{5f3}\u{5f4}\u{6fd}\u{6fe}\u{f0b}\u{3007}\u{30fb}-]|\u{200c}|\u{200d}|(?!\p{Changes_When_NFKC_Casefolded}|[\u{20d0}-\u{20ff}]|[\u{302e}-\u{302f}]|[\u{640}\u{7fa}\u{1100}-\u{11ff}\u{3031}-\u{3035}\u{303b}\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}\u{1d100}-\u{1d24f}])[\p{L}\p{Mn}\p{Mc}\p{Nd}])+$/u;

/** Returns the decoded label, or undefined if it is invalid. */
export function unicodeLabel(label) {
  if (!label.startsWith("xn--")) return label.startsWith("--", 2) ? undefined : label;
  const text = decodePunycode(label.slice(4));
  if (text === undefined || text.startsWith("--", 2) || !labelPattern.test(text)) return undefined;
  return asciiName(text) === label && contextHolds(text) ? text : undefined;
}

/** Decodes lower-case Punycode (RFC 3492, section 6.2). Returns undefined if the text is invalid. */
export function decodePunycode(text) {
  const delimiter = text.lastIndexOf("-");
  const points = [...text.slice(0, Math.max(delimiter, 0))].map((letter) => letter.charCodeAt(0));
  let point = 128;
  let i = 0;
  let bias = 72;
  for (let at = delimiter + 1; at < text.length; ) {
    const before = i;
    for (let k = 36, weight = 1; ; k += 36) {
      const digit = at < text.length ? text.charCodeAt(at) + (text[at] > "9" ? -97 : -22) : 36;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      at += 1;
      i += digit * weight;
      if (digit > 35 || i > 0x7fffffff) return undefined;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = points.length + 1;
    let delta = Math.floor((i - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(i / count);
    if (point > 0x10ffff) return undefined;
    i %= count;
    points.splice(i, 0, point);
    i += 1;
  }
  return String.fromCodePoint(...points);
}
