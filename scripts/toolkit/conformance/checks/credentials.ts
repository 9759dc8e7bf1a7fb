/** Invalid credentials that differ from a valid one in a single point. */
import type { SecurityRequirement } from "#specbind/contract";
import type { InvalidCredential } from "../service-under-test.ts";

type Forms = { readonly [why: string]: InvalidCredential };

/** Keyed by what is wrong. */
export function invalidForms(credential: SecurityRequirement["credential"], text: string): Forms {
  const forms = credential === "basic" ? formsOfBasic(text) : formsOfToken(text);
  const headers = typeof credential === "object" ? {} : headersOf(credential, text);
  const different = Object.entries(forms).filter(([, form]) => form !== text);
  return { ...Object.fromEntries(different), ...headers };
}

function formsOfToken(text: string): { readonly [why: string]: string } {
  const [first, second] = halves(text);
  return {
    unknown: "unknown",
    empty: "",
    "cut off": first,
    "without its beginning": second,
    "followed by other characters": `${text}x`,
    "preceded by other characters": `x${text}`,
    "in other case": otherCase(text),
    "only as long as the valid one": masked(text),
    "right in its first half only": first + masked(second),
    "right in its second half only": masked(first) + second,
    ...expired(text),
  };
}

function formsOfBasic(text: string): { readonly [why: string]: string } {
  const [user = "", password = ""] = text.split(/:(.*)/s, 2);
  const ofPassword = Object.entries(formsOfToken(password)).map(
    ([why, form]) => [`one whose password is ${why}`, `${user}:${form}`] as const,
  );
  return {
    unknown: "unknown:unknown",
    "of another user": `unknown:${password}`,
    "without a user": `:${password}`,
    ...Object.fromEntries(ofPassword),
  };
}

/** Values of `Authorization` that do not have the form of the scheme. */
function headersOf(credential: SecurityRequirement["credential"], text: string): Forms {
  const encoded = credential === "basic" ? Buffer.from(text).toString("base64") : text;
  const scheme = credential === "basic" ? "Basic" : "Bearer";
  return {
    "of another scheme": { authorization: `${scheme === "Basic" ? "Bearer" : "Basic"} ${encoded}` },
    "of an unknown scheme": { authorization: `Undocumented ${encoded}` },
    "without a scheme": { authorization: encoded },
    "only a scheme": { authorization: scheme },
    ...(credential === "basic" && {
      "without a colon": { authorization: `Basic ${Buffer.from(text.replace(":", "")).toString("base64")}` },
      "not Base64": { authorization: "Basic %%%" },
    }),
  };
}

/** The same JSON Web Token with a time in the past (RFC 7519, section 4.1.4). */
export function expired(text: string): { readonly expired?: string } {
  const [head, payload, signature] = text.split(".");
  try {
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
    const past = Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString("base64url");
    return { expired: [head, past, signature].join(".") };
  } catch {
    return {};
  }
}

export function halves(text: string): [first: string, second: string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

export function otherCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

/** Replaces each character with another one that says nothing about it. */
function masked(text: string): string {
  return text.replaceAll(/./gs, /^x*$/.test(text) ? "y" : "x");
}
