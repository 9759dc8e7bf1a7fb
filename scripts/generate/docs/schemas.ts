/**
 * What schemas say, for people: types, limits and, property by property, what is within. A schema that is small or used
 * once stands where it is used; any other has a section of its own, which keeps the page as small as its document.
 */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  tokensOf,
  valueAt,
  visitObjects,
} from "../document.ts";
import { isSensitive } from "../sensitive.ts";
import { type Html, html, isEmpty, joined, type Part } from "./html.ts";
import { limitsOf, typesOf } from "./limits.ts";
import { markdown } from "./markdown.ts";

/** Beyond so many lines a schema gets a section of its own. */
const maxLines = 40;
/** As does one that is used in so many places, unless it has no parts. */
const manyUses = 3;

/** A schema with what its `$ref` and `allOf` say put into it. */
interface Whole {
  readonly schema: JsonObject;
  /** The schema that it refers to, where it adds no parts to that. */
  readonly pointer: string | undefined;
  /** All that it is put together of by references. */
  readonly pointers: readonly string[];
}

export class Schemas {
  readonly #document: JsonObject;
  readonly #uses = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  readonly #measuring = new Set<string>();
  /** Those that hold themselves, at whatever depth. */
  readonly #recursive = new Set<string>();
  /** The schemas within which something is being shown: none is shown within itself. */
  #around: readonly string[] = [];
  /** Those with sections of their own that something on the page leads to, in that order. */
  readonly #apart = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
    visitObjects(document, ({ $ref }) => {
      const target = typeof $ref === "string" ? localPointer($ref) : undefined;
      if (target !== undefined) this.#uses.set(target, (this.#uses.get(target) ?? 0) + 1);
    });
  }

  /** The sections that something on the page leads to, those too that only other sections lead to. */
  sections(heading: (name: string, id: string) => Html): Html[] {
    const sections: Html[] = [];
    // The set grows while it is walked over.
    for (const pointer of this.#apart) {
      const whole = this.#whole(valueAt(this.#document, pointer));
      const within = this.#inside([pointer], () => this.#within(whole));
      sections.push(html`<section class="schema" id="${idOf(pointer)}">${heading(nameOf(pointer), idOf(pointer))}
${this.#described(whole.schema)}${this.#notes(whole.schema)}${within}</section>`);
    }
    return sections.toSorted((left, right) => (left.text < right.text ? -1 : 1));
  }

  /** What a content is: its type, or a link where its schema has a section of its own, and what is within. */
  content(pointer: string): Html {
    const whole = this.#whole(referenceTo(pointer));
    const apart = this.#apartAs(whole);
    if (apart !== undefined) return html`<p class="type-line">${this.#link(apart)}</p>`;
    return this.contentInFull(pointer);
  }

  /** The same, always with what is within. */
  contentInFull(pointer: string): Html {
    const schema = referenceTo(pointer);
    const whole = this.#whole(schema);
    const within = this.#within(whole);
    if (!isEmpty(within)) return html`${this.#notes(whole.schema)}${within}`;
    return html`<p class="type-line">${this.type(schema)}</p>${this.#notes(whole.schema)}`;
  }

  /** One line of a list of parameters, properties or headers. */
  field(
    name: Part,
    schema: Json | undefined,
    { required, description, note }: { required: boolean; description?: Json | undefined; note?: Part },
  ): Html {
    const whole = this.#whole(schema);
    const own = whole.schema;
    const text = typeof description === "string" ? markdown(description, 6) : this.#described(own);
    const marks = [
      required && html`<span class="required">required</span>`,
      isSensitive(own) && html`<span class="mark">secret</span>`,
      own.deprecated === true && html`<span class="mark">deprecated</span>`,
      note,
    ];
    return html`<div><dt><code>${name}</code> <span class="type">${this.type(schema)}</span> ${joined(marks, " ")}</dt>
<dd>${text}${this.#notes(own)}${this.#apartAs(whole) === undefined && this.#within(whole)}</dd></div>
`;
  }

  type(schema: Json | undefined): Part {
    if (schema === false) return "nothing";
    const whole = this.#whole(schema);
    const own = whole.schema;
    const apart = this.#apartAs(whole);
    if (apart !== undefined) return this.#link(apart);
    const choices = choicesOf(own);
    if (choices.length > 0 && !isObject(own.properties)) {
      if (!this.#arePlain(choices)) return "one of several";
      return this.#inside(whole.pointers, () =>
        joined(unique(choices.map((choice) => this.type(choice))), " or "),
      );
    }
    const types = typesOf(own);
    const shown = types.map((type): Part => {
      if (type === "array") return own.items === undefined ? "array" : html`array of ${this.type(own.items)}`;
      return type === "string" && typeof own.format === "string" ? `string (${own.format})` : type;
    });
    return shown.length === 0 ? "any value" : joined(shown, " or ");
  }

  #link(pointer: string): Html {
    this.#apart.add(pointer);
    return html`<a href="#${idOf(pointer)}">${nameOf(pointer)}</a>`;
  }

  #described({ description }: JsonObject): Part {
    return typeof description === "string" ? markdown(description, 6) : undefined;
  }

  #notes(schema: JsonObject): Part {
    const items = isObject(schema.items) ? this.#whole(schema.items).schema : {};
    const notes = joined(
      [...limitsOf(schema), ...limitsOf(items).map((limit) => html`each ${limit}`)],
      " · ",
    );
    return notes.length > 0 && html`<p class="limits">${notes}</p>`;
  }

  /** The properties of an object, or of the items of a list, and the alternatives. */
  #within(whole: Whole): Part {
    return this.#inside(whole.pointers, () => this.#partsOf(whole.schema));
  }

  #partsOf(schema: JsonObject): Part {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = entriesOf(schema.properties).flatMap(([name, part]) =>
      part === false ? [] : [this.field(name, part, { required: required.includes(name) })],
    );
    const others = schema.additionalProperties;
    if (isObject(others) && Object.keys(others).length > 0)
      fields.push(this.field(html`<em>any other name</em>`, others, { required: false }));
    const choices = choicesOf(schema);
    const branches = this.#arePlain(choices) ? [] : choices.map((choice) => this.#branch(choice));
    const items = isObject(schema.items) ? this.#whole(schema.items) : undefined;
    return [
      fields.length > 0 && html`<dl class="fields">${fields}</dl>`,
      branches.length > 0 &&
        html`<div class="branches"><p>${schema.oneOf === undefined ? "Any" : "One"} of:</p>${branches.map(
          ({ title, within }) => html`<div class="branch"><p><b>${title}</b></p>${within}</div>`,
        )}</div>`,
      items !== undefined && this.#apartAs(items) === undefined && this.#within(items),
    ];
  }

  #branch(choice: Json): { title: Part; within: Part } {
    const whole = this.#whole(choice);
    const { schema, pointer } = whole;
    const apart = this.#apartAs(whole);
    if (apart !== undefined) return { title: this.#link(apart), within: "" };
    const named = pointer === undefined ? undefined : nameOf(pointer);
    const title = typeof schema.title === "string" ? schema.title : named;
    return { title: title ?? this.type(choice), within: [this.#described(schema), this.#within(whole)] };
  }

  /** Whether their types say all that there is to say. */
  #arePlain(choices: readonly Json[]): boolean {
    return choices.every((choice) => this.#linesWithin(this.#whole(choice)) === 0);
  }

  #inside<Result>(pointers: readonly string[], work: () => Result): Result {
    const outside = this.#around;
    this.#around = [...outside, ...pointers];
    const result = work();
    this.#around = outside;
    return result;
  }

  /** The schema in whose section it is shown, where it is not shown in place. */
  #apartAs({ pointer, pointers }: Whole): string | undefined {
    if (pointer !== undefined && this.#standsApart(pointer)) return pointer;
    return pointers.find((each) => this.#around.includes(each) && this.#holdsItself(each));
  }

  #standsApart(pointer: string): boolean {
    if (this.#measuring.has(pointer)) this.#recursive.add(pointer);
    if (this.#recursive.has(pointer)) return true;
    const lines = this.#linesOf(pointer);
    if (this.#recursive.has(pointer)) return true;
    return (
      isComponent(pointer) && (lines > maxLines || (lines > 1 && (this.#uses.get(pointer) ?? 0) >= manyUses))
    );
  }

  #holdsItself(pointer: string): boolean {
    this.#linesOf(pointer);
    return this.#recursive.has(pointer);
  }

  #linesOf(pointer: string): number {
    const known = this.#lines.get(pointer);
    if (known !== undefined) return known;
    const lines = this.#linesWithin(this.#whole(valueAt(this.#document, pointer)), [pointer]);
    this.#lines.set(pointer, lines);
    return lines;
  }

  #linesWithin({ schema, pointers }: Whole, own: readonly string[] = pointers): number {
    const entered = own.filter((pointer) => !this.#measuring.has(pointer));
    if (entered.length < own.length) {
      for (const pointer of own) if (!entered.includes(pointer)) this.#recursive.add(pointer);
      return 0;
    }
    for (const pointer of entered) this.#measuring.add(pointer);
    const parts = [
      ...Object.values(isObject(schema.properties) ? schema.properties : {}),
      ...choicesOf(schema),
    ];
    if (isObject(schema.additionalProperties)) parts.push(schema.additionalProperties);
    let lines = parts.length;
    for (const part of isObject(schema.items) ? [...parts, schema.items] : parts) {
      const whole = this.#whole(part);
      if (whole.pointer === undefined) lines += this.#linesWithin(whole);
      else if (!this.#standsApart(whole.pointer)) lines += this.#linesOf(whole.pointer);
    }
    for (const pointer of entered) this.#measuring.delete(pointer);
    return lines;
  }

  #whole(schema: Json | undefined, around: readonly Json[] = []): Whole {
    if (!isObject(schema) || around.includes(schema)) return { schema: {}, pointer: undefined, pointers: [] };
    const { $ref, allOf, ...own } = schema;
    const target = typeof $ref === "string" ? localPointer($ref) : undefined;
    const inside = [...around, schema];
    const wholes = (Array.isArray(allOf) ? allOf : []).map((part) => this.#whole(part, inside));
    if (target !== undefined) {
      const { schema, pointers } = this.#whole(valueAt(this.#document, target), inside);
      wholes.unshift({ schema, pointer: target, pointers: [target, ...pointers] });
    }
    if (wholes.length === 0) return { schema, pointer: undefined, pointers: [] };
    const addsWords = Object.keys(own).every((key) => !structure.has(key));
    return {
      schema: merged([...wholes.map(({ schema }) => schema), own]),
      pointer: wholes.length === 1 && addsWords ? wholes[0]?.pointer : undefined,
      pointers: wholes.flatMap(({ pointers }) => pointers),
    };
  }
}

/** What says which parts there are: all else is told beside the link to a schema. */
const structure = new Set(["properties", "required", "additionalProperties", "items", "oneOf", "anyOf"]);

/** The later says more of the same place; properties and what is required add up. */
function merged(schemas: readonly JsonObject[]): JsonObject {
  const properties: JsonObject = Object.assign(
    {},
    ...schemas.map((schema) => (isObject(schema.properties) ? schema.properties : {})),
  );
  const required = schemas.flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function isComponent(pointer: string): boolean {
  return /^\/(?:components|sent)\/schemas\/[^/]+$/.test(pointer);
}

function referenceTo(pointer: string): Json {
  return { $ref: `#${encodeURI(pointer)}` };
}

function nameOf(pointer: string): string {
  return tokensOf(pointer).at(-1) ?? "";
}

/** Has a hyphen, which no operation's id has. A schema that requests have otherwise than responses is there twice. */
function idOf(pointer: string): string {
  const name = isComponent(pointer) ? nameOf(pointer) : tokensOf(pointer).join("-");
  return `${pointer.startsWith("/sent/") ? "sent-" : ""}schema-${name}`;
}

function choicesOf({ oneOf, anyOf }: JsonObject): Json[] {
  if (Array.isArray(oneOf)) return oneOf;
  return Array.isArray(anyOf) ? anyOf : [];
}

function unique(parts: readonly Part[]): Part[] {
  const byText = new Map(parts.map((part) => [html`${part}`.text, part]));
  return [...byText.values()];
}
