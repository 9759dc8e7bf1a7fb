/** Chooses valid requests that differ in as many values as possible. */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../openapi/document.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import type { RequestPart } from "../request-parts.ts";
import type { Draft } from "../requests.ts";
import { differentNames, fullest, withSpecialTexts } from "./record-differences.ts";
import type { Subject } from "./trials.ts";

/** The base, and other valid bodies: first the one with most properties and special texts. */
export function differentBodies({ drafts }: Subject): Draft[] {
  const base = drafts.base();
  if (base === undefined) return [];
  const others = drafts.parts.flatMap((part) =>
    part.constraints.flatMap((constraint) =>
      constraint.verdict === "valid"
        ? drafts.draftsFor(part, constraint).map((draft) => ({ part, draft }))
        : [],
    ),
  );
  const lengthOf = ({ body }: Draft) => body?.bytes.byteLength ?? 0;
  const differencesOf = ({ value }: Draft) => differentNames(value, base.value).length;
  const [other] = others
    .map(({ draft }) => draft)
    .toSorted(
      (left, right) => differencesOf(right) - differencesOf(left) || lengthOf(right) - lengthOf(left),
    );
  if (other === undefined) return [base];
  const bodies = others.flatMap(({ part, draft: { value } }) =>
    part.place.in === "body" && value !== undefined ? [{ part, value }] : [],
  );
  const [{ part } = {}] = bodies;
  const merged = bodies.reduce<Json | undefined>((value, each) => {
    const more = value === undefined || each.part !== part ? value : fullest(value, each.value);
    return more !== undefined && part !== undefined && isValid(part.node, more) ? more : value;
  }, bodies[0]?.value);
  const made =
    part === undefined || merged === undefined
      ? []
      : [withSpecialTexts(part.node, merged), merged].map((value) => part.replace(base, part.settle(value)));
  return [base, ...made, other];
}

/** The base, and drafts of other records. A PUT to another path creates another record. */
export function differentDrafts(on: Subject): Draft[] {
  const [base, ...others] = differentBodies(on);
  const key = on.drafts.parts.findLast(({ place }) => place.in === "path");
  if (base === undefined) return [];
  if (on.operation.method === "POST" || key === undefined) return [base, ...others];
  const elsewhere = similarPath(key, base) ?? otherPath(on, key, base);
  if (elsewhere === undefined) return [base];
  return [base, ...others.map((draft) => ({ ...draft, parameters: elsewhere.parameters }))];
}

function otherPath({ drafts }: Subject, part: RequestPart, base: Draft): Draft | undefined {
  const valid = part.constraints.find(({ verdict }) => verdict === "valid");
  const made = valid === undefined ? [] : drafts.draftsFor(part, valid);
  return made.find(({ parameters }) => !isDeepStrictEqual(parameters.path, base.parameters.path));
}

/** The draft with another last character in its path. A service may read only a part of the path. */
function similarPath(part: RequestPart, base: Draft): Draft | undefined {
  const value = base.parameters.path?.[part.place.pointer.slice(1)];
  if (typeof value !== "string") return undefined;
  const others = [..."0aAX1bBz"].map((last) => value.slice(0, -1) + last);
  const other = others.find(
    (each) => each !== value && isValid(part.node, each) && part.readBack(each) === each,
  );
  return other === undefined ? undefined : part.replace(base, other);
}
