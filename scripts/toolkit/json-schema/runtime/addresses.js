/** Helpers of the generated validators: formats of addresses, mailboxes and URIs. */
import { asciiHostname } from "./hosts.js";

/** Dotted quad of RFC 2673, section 3.2. */
export const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/u;

export function formatIpv4(text) {
  return ipv4Pattern.test(text);
}

/** RFC 4291, section 2.2. */
export function formatIpv6(text) {
  if (!/^[\da-f:.]{2,45}$/iu.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (let h = 0; h < halves.length; h += 1) {
    if (halves[h] === "") continue;
    const fields = halves[h].split(":");
    for (let i = 0; i < fields.length; i += 1) {
      // Only the last field may be an IPv4 address.
      if (h === halves.length - 1 && i === fields.length - 1 && fields[i].includes(".")) {
        if (!formatIpv4(fields[i])) return false;
        groups += 2;
      } else {
        if (!/^[\dA-Fa-f]{1,4}$/u.test(fields[i])) return false;
        groups += 1;
      }
    }
  }
  // "::" replaces at least one group of zeros.
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** Dot-string of RFC 5321, section 4.1.2. */
export const atomsPattern = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/u;

/** Quoted-string of RFC 5321, section 4.1.2. */
export const quotedPattern = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/u;

/** Mailbox of RFC 5321, section 4.1.2. */
export function mailbox(text) {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || at > 64 || domain.length > 255) return false;
  if (!atomsPattern.test(local) && !quotedPattern.test(local)) return false;
  if (/^\[IPv6:.*\]$/iu.test(domain)) return formatIpv6(domain.slice(6, -1));
  if (domain.startsWith("[")) return domain.endsWith("]") && formatIpv4(domain.slice(1, -1));
  return asciiHostname(domain);
}

export function formatEmail(text) {
  return mailbox(text);
}

/** In RFC 6531, section 3.3, a letter may also be any character outside ASCII. */
export function formatIdnEmail(text) {
  return mailbox(text.replace(/[^\p{ASCII}]/gu, "x"));
}

/** Splits as in RFC 3986, appendix B, and checks the characters of each part (section 3; RFC 3987 for IRIs). */
export function resource(text, absolute, international) {
  const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su.exec(text);
  if (parts === null) return false;
  const [, scheme, authority, path, query = "", fragment = ""] = parts;
  if (absolute && scheme === undefined) return false;
  if (scheme !== undefined && !/^[A-Za-z][\dA-Za-z+.-]*$/u.test(scheme)) return false;
  if (/%(?![\da-f]{2})/iu.test(text)) return false;
  const wrong = international
    ? /[^\w.~!$&'()*+,;=:@/%\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{efffd}-]/u
    : /[^\w.~!$&'()*+,;=:@/%-]/u;
  if (
    wrong.test(path) ||
    wrong.test(fragment.replaceAll("?", "")) ||
    wrong.test(queryText(query, international))
  )
    return false;
  if (authority === undefined) return scheme !== undefined || !/^[^/]*:/u.test(path);
  return authorityHolds(authority, wrong);
}

/** A query may contain question marks and, in an IRI, private characters (RFC 3987, section 2.2). */
export function queryText(query, international) {
  const marks = query.replaceAll("?", "");
  return international
    ? marks.replace(/[\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu, "")
    : marks;
}

/** RFC 3986, section 3.2. */
export function authorityHolds(authority, wrong) {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && (authority.slice(0, at).includes("@") || wrong.test(authority.slice(0, at)))) return false;
  const [, literal, name, port = ""] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/su.exec(authority.slice(at + 1)) ?? [];
  if ((literal === undefined && name === undefined) || !/^\d*$/u.test(port)) return false;
  if (literal !== undefined)
    return formatIpv6(literal) || /^[Vv][\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/u.test(literal);
  return !wrong.test(name) && !name.includes("@");
}

export function formatUri(text) {
  // Handles the common case first: a name, an optional port, and no escapes.
  return (
    /^[A-Za-z][\dA-Za-z+.-]*:\/\/[\w.~-]+(?::\d+)?(?:[/?#][\w.~!$&'()*+,;=:@/?-]*)?$/u.test(text) ||
    resource(text, true, false)
  );
}

export function formatUriReference(text) {
  return resource(text, false, false);
}

export function formatIri(text) {
  return resource(text, true, true);
}

export function formatIriReference(text) {
  return resource(text, false, true);
}
