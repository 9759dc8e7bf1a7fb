/** Random structural changes of a document. The same seed makes the same changes. */
import { type Json, type JsonObject, pointerTo } from "../../openapi/document.ts";

type Random = () => number;

interface Place {
  readonly holder: Json[] | JsonObject;
  readonly key: string;
  readonly pointer: string;
}

/** Changes one to three places of the document. @returns a description of the changes, for messages */
export function mutate(document: JsonObject, random: Random): string {
  const done: string[] = [];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const places = placesIn(document);
    const place = oneOf(places, random);
    const other = oneOf(places, random);
    const [name, change] = oneOf(Object.entries(changes), random);
    change(place, other, random);
    done.push(`${name} ${place.pointer} (${other.pointer})`);
  }
  return done.join("; ");
}

const values: readonly Json[] = [null, true, -1, 1.5, "", "#/", "a/b~c{d}", [], {}, [{}], { x: {} }];
const keys = `
  $ref type properties allOf oneOf items required enum default const additionalProperties not format nullable
  discriminator readOnly schema content name in example examples parameters responses security style explode
  200 get __proto__ constructor x-extra
`
  .trim()
  .split(/\s+/)
  .concat("");

const changes: { readonly [name: string]: (place: Place, other: Place, random: Random) => void } = {
  remove: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  replace: (place, _, random) => put(place, structuredClone(oneOf(values, random))),
  copy: (place, other) => put(place, structuredClone(valueIn(other))),
  refer: (place, other) => put(place, { $ref: `#${other.pointer}` }),
  wrap: (place, _, random) =>
    put(place, random() < 0.5 ? [valueIn(place)] : { [oneOf(keys, random)]: valueIn(place) }),
  add: (place, other, random) => {
    const value = valueIn(place);
    const holder = typeof value === "object" && value !== null ? value : place.holder;
    const added = structuredClone(random() < 0.5 ? valueIn(other) : oneOf(values, random));
    if (Array.isArray(holder)) holder.push(added);
    else define(holder, oneOf(keys, random), added);
  },
  rename: ({ holder, key }, _, random) => {
    if (Array.isArray(holder)) return;
    const value = holder[key] ?? null;
    delete holder[key];
    define(holder, oneOf(keys, random), value);
  },
};

function placesIn(document: JsonObject): Place[] {
  const places: Place[] = [];
  const visit = (holder: Json, pointer: string): void => {
    if (typeof holder !== "object" || holder === null) return;
    for (const [key, value] of Object.entries(holder)) {
      const below = pointerTo(pointer, key);
      places.push({ holder, key, pointer: below });
      visit(value, below);
    }
  };
  visit(document, "");
  return places;
}

function valueIn({ holder, key }: Place): Json {
  return Reflect.get(holder, key) ?? null;
}

function put({ holder, key }: Place, value: Json): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else define(holder, key, value);
}

function define(holder: JsonObject, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function oneOf<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
