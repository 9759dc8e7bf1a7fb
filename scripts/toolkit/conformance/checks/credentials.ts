/** Credentials that are not enough: invalid ones, which differ from a valid one in a single point, and valid ones elsewhere. */
import { isDeepStrictEqual } from "node:util";
import type { SecurityRequirement } from "#specbind/contract";
import type { Credential } from "../requests.ts";
import type { InvalidCredential } from "../service-under-test.ts";
import type { Subject } from "./trials.ts";

/** Valid credentials of other schemes only, in other places than the document says, or without a required one. */
export function insufficientCredentials({
  service,
  operation: { security },
  drafts,
  all,
}: Subject): Attempt[] {
  const known = all.flatMap(({ operation }) => operation.security.flat());
  const ofSchemes = new Map(
    known.map((requirement) => [requirement.scheme, { requirement, how: "only" }] as const),
  );
  const elsewhere = security.flat().flatMap(({ credential, ...each }) =>
    otherPlaces(credential).map(([how, place]) => ({
      requirement: { ...each, ...(place && { credential: place }) },
      how,
    })),
  );
  const isPlace = (place: SecurityRequirement["credential"]) =>
    security.flat().some(({ credential }) => isDeepStrictEqual(credential, place));
  const single = [...ofSchemes.values(), ...elsewhere].flatMap(({ requirement, how }): Attempt[] => {
    const [valid] = service.credentials[requirement.scheme]?.valid ?? [];
    // Schemes with one place may share a credential.
    if (valid === undefined || isPlace(requirement.credential)) return [];
    const what = `with the credential for ${requirement.scheme} ${how}`;
    return [{ what, credentials: [{ requirement, text: valid.text }] }];
  });
  const partial = security.flatMap((alternative) => {
    const whole = drafts.credentialsOf(alternative);
    // A certificate belongs to the connection, so it is never left out.
    const removable = whole.filter(({ requirement }) => requirement.credential !== "certificate");
    return removable.map((left) => ({
      what: `without the credential for ${left.requirement.scheme}`,
      credentials: whole.filter((each) => each !== left),
    }));
  });
  const isEnough = ({ credentials }: Attempt) =>
    security.some((alternative) =>
      alternative.every(({ scheme }) => credentials.some(({ requirement }) => requirement.scheme === scheme)),
    );
  return [...single, ...partial.filter((each) => each.credentials.length > 0 && !isEnough(each))];
}

interface Attempt {
  readonly what: string;
  readonly credentials: readonly Credential[];
}

/** Places in which services look for a credential, although the document names another one. */
function otherPlaces(
  credential: SecurityRequirement["credential"],
): [how: string, place: SecurityRequirement["credential"]][] {
  if (credential === undefined) return [["in the query", { in: "query", name: "access_token" }]];
  if (typeof credential !== "object") return [];
  const { name } = credential;
  const places = (["header", "query", "cookie"] as const).map((place) => ({ in: place, name }));
  return [
    ...places.map((place): [string, typeof place] => [`in a ${place.in}`, place]),
    ["as a bearer token", undefined],
  ];
}

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
