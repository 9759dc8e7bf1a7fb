/** Compares the lists that a GET returns for different parameters in its query. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../openapi/document.ts";
import { alternativeOf, typesAllowed, valuesOfKeyword } from "../../openapi/schema/schema-node.ts";
import { type HttpRequest, jsonIn } from "../exchange.ts";
import type { RequestPart } from "../request-parts.ts";
import type { Draft } from "../requests.ts";
import { pathOf, queryOf } from "../routes.ts";
import { itemNode, listedValues } from "../values/least-size.ts";
import { listIn } from "./stores.ts";
import { type Exchange, isSuccess, ready, type Subject, send, type Violation } from "./trials.ts";

/** The pairs of parameters that are sent in another order. */
const mostPairs = 10;

export async function queryViolations(on: Subject, base: Draft): Promise<Violation[]> {
  if (on.operation.method !== "GET") return [];
  const found: Violation[] = [];
  const parts = on.drafts.parts.filter(({ place }) => place.in === "query");
  for (const part of parts)
    found.push(...(await defaultViolations(on, base, part)), ...(await filterViolations(on, base, part)));
  return [...found, ...(await orderViolations(on, base, parts))];
}

async function read(on: Subject, request: HttpRequest): Promise<Exchange & { items: Json[] | undefined }> {
  const response = await send(on, request);
  return { request, response, items: isSuccess(response.status) ? listIn(jsonIn(response.body)) : undefined };
}

/** A parameter that is absent means its default value (OpenAPI 3.1, section 4.8.24). So both find the same list. */
async function defaultViolations(on: Subject, base: Draft, part: RequestPart): Promise<Violation[]> {
  const [value] = valuesOfKeyword(part.node, "default");
  if (value === undefined) return [];
  const readWith = async (given: Json | undefined) => read(on, await ready(on, part.replace(base, given)));
  const [first, other, second] = [
    await readWith(undefined),
    await readWith(value),
    await readWith(undefined),
  ];
  if (first.items === undefined || first.items.length !== second.items?.length || other.items === undefined)
    return [];
  const [without, withDefault] = [first, other].map(({ items = [] }) => items.length);
  const message = `${part.label}: without it, the list has ${without} items, but ${withDefault} with its default value`;
  return without === withDefault ? [] : [{ ...first, message }];
}

/** A parameter with the name of a property, and with the same few values, selects the items with this value. */
async function filterViolations(on: Subject, base: Draft, part: RequestPart): Promise<Violation[]> {
  const name = part.place.pointer.slice(1);
  const list = alternativeOf(part.node, "array");
  const node = list === undefined ? part.node : itemNode(list);
  const values = listedValues(node) ?? (typesAllowed(node)?.join() === "boolean" ? [true, false] : []);
  const valuesIn = (items: readonly Json[] = []) =>
    items.flatMap((item) => (isObject(item) && item[name] !== undefined ? [item[name]] : []));
  const all = valuesIn((await read(on, await ready(on, part.replace(base, undefined)))).items);
  if (all.length === 0 || !all.every((each) => values.includes(each))) return [];
  for (const value of values) {
    const found = await read(on, await ready(on, part.replace(base, list === undefined ? value : [value])));
    const other = valuesIn(found.items).find((each) => each !== value);
    if (other !== undefined)
      return [
        {
          ...found,
          message: `${part.label}: the list has an item whose /${name} is ${JSON.stringify(other)}`,
        },
      ];
  }
  return [];
}

/** Parameters have names, so their order means nothing. */
async function orderViolations(
  on: Subject,
  base: Draft,
  parts: readonly RequestPart[],
): Promise<Violation[]> {
  const given = parts.flatMap((part) => {
    const valid = part.constraints.find(({ verdict, steps }) => verdict === "valid" && steps.length === 0);
    return valid === undefined
      ? []
      : on.drafts
          .draftsFor(part, valid)
          .slice(0, 1)
          .map(({ parameters }) => {
            return { part, value: parameters.query?.[part.place.pointer.slice(1)] };
          });
  });
  const pairs = given.flatMap((one, at) => given.slice(at + 1).map((other) => [one, other]));
  const plain = parts.reduce((draft, part) => part.replace(draft, undefined), base);
  for (const pair of pairs.slice(0, mostPairs)) {
    const request = await ready(
      on,
      pair.reduce((draft, { part, value }) => part.replace(draft, value), plain),
    );
    const changed = { ...request, target: `${pathOf(request.target)}?${turned(queryOf(request.target))}` };
    const [first, other] = [await read(on, request), await read(on, changed)];
    if (isDeepStrictEqual(first.items, other.items)) continue;
    const second = await read(on, request);
    if (isDeepStrictEqual(first.items, second.items))
      return [{ ...other, message: "query: with the parameters in another order, the list is another one" }];
  }
  return [];
}

/** Turns the order of the names. Equal names keep their order, because they are the items of a list. */
function turned(query: string): string {
  const groups = Map.groupBy(query.split("&"), (pair) => pair.split("=", 1)[0]);
  return [...groups.values()].toReversed().flat().join("&");
}
