/** The section of one operation. */
import { follow, isObject, pointerTo, valueAt } from "../document.ts";
import { examplesAt } from "../examples.ts";
import type { Operation, Parameter, SecurityRequirement } from "../model.ts";
import { code, codeBlock } from "./code-block.ts";
import { type Html, html, joined, type Part } from "./html.ts";
import { inlineMarkdown, markdown } from "./markdown.ts";
import { exampleOf, type ResponseParts, responsesOf, schemaOf, statusClass } from "./responses.ts";
import { parameterPlaces, placeOf, type Sample, type SampleSource, samplesOf } from "./samples.ts";

const placeTitles: { readonly [In in Parameter["in"]]: string } = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

export function operationSection(parts: ResponseParts, source: SampleSource, operation: Operation): Html {
  const { document } = parts;
  const { id, method, path, pointer, security, responses } = operation;
  const own = valueAt(document, pointer);
  const { description, deprecated } = isObject(own) ? own : {};
  const samples = samplesOf(source, operation);
  return html`<section class="operation" id="${id}">
<header><h3><a href="#${id}">${titleOf(parts, operation)}</a></h3>
<p class="address"><b class="${methodClass(method)}">${method}</b> <code>${breakable(path)}</code></p>
<p class="needs"><span>Operation <code>${id}</code></span> <span>Credential ${credentialText(security)}</span>${deprecated === true && html` <span class="mark">deprecated</span>`}</p>
${typeof description === "string" && markdown(description)}</header>
<div class="samples">${samples.map((sample, index) => sampleOf(sample, id, index + 1))}</div>
<div class="parts">${parametersOf(parts, operation)}${contentOf(parts, operation)}
<h4>Responses</h4>
${responsesOf(parts, pointerTo(pointer, "responses"), responses, id)}</div>
</section>
`;
}

export function titleOf({ document }: ResponseParts, { id, pointer }: Operation): Part {
  const summary = valueAt(document, pointerTo(pointer, "summary"));
  return typeof summary === "string" ? inlineMarkdown(summary.replace(/\.$/, "")) : id;
}

export function methodClass(method: string): string {
  return `method ${method.toLowerCase()}`;
}

/** Which credentials an operation takes, each alternative with its roles. */
export function credentialText(security: Operation["security"]): Part {
  if (security.length === 0) return "none";
  const alternatives = new Map<string, { readonly title: Part; readonly roles: Set<string> }>();
  for (const alternative of security) {
    if (alternative.length === 0) return "none needed";
    const key = JSON.stringify(alternative.map(({ scheme }) => scheme));
    const title = joined(alternative.map(schemeLink), " and ");
    const roles = alternatives.get(key)?.roles ?? new Set();
    for (const requirement of alternative)
      if (requirement.roles.length > 0) roles.add(requirement.roles.join(" and "));
    alternatives.set(key, { title, roles });
  }
  const texts = [...alternatives.values()].map(({ title, roles }) =>
    roles.size === 0 ? title : html`${title}: ${[...roles].join(" or ")}`,
  );
  return joined(texts, " or ");
}

function schemeLink({ scheme }: SecurityRequirement): Html {
  return html`<a href="#${schemeId(scheme)}"><code>${scheme}</code></a>`;
}

export function schemeId(scheme: string): string {
  return `scheme-${scheme}`;
}

/** A path may break before each of its segments. */
export function breakable(path: string): Part {
  return path.split(/(?=\/)/).map((segment) => html`<wbr>${segment}`);
}

function parametersOf({ document, schemas }: ResponseParts, operation: Operation): Part {
  const places = parameterPlaces(document, operation);
  return Object.entries(placeTitles).map(([place, title]) => {
    const fields = operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => {
        const object = valueAt(document, placeOf(places, parameter));
        if (!isObject(object)) return undefined;
        return schemas.field(parameter.name, schemaOf(object), {
          required: parameter.required,
          description: object.description,
          note: object.deprecated === true && html`<span class="mark">deprecated</span>`,
        });
      });
    return fields.length > 0 && html`<h4>${title}</h4><dl class="fields">${fields}</dl>`;
  });
}

function contentOf({ document, schemas }: ResponseParts, { pointer, content }: Operation): Part {
  if (content === undefined) return undefined;
  const { pointer: place, value } = follow(document, pointerTo(pointer, "requestBody"));
  const description =
    isObject(value) && typeof value.description === "string" ? markdown(value.description, 5) : undefined;
  const need = content.required
    ? html`<span class="required">required</span>`
    : html`<span class="mark">optional</span>`;
  return content.mediaTypes.map(({ mediaType, schema }, index) => {
    const examples = index === 0 ? [] : examplesAt(document, pointerTo(place, "content", mediaType));
    return html`<h4>Request content <code>${mediaType}</code> ${need}</h4>
${index === 0 && description}${schema && schemas.contentInFull(schema.pointer)}${examples.map(exampleOf)}`;
  });
}

/** One sample's languages are alternatives: radio buttons show one of them, without a script. */
function sampleOf({ title, curl, client, answer }: Sample, id: string, index: number): Html {
  const languages = [
    { name: "curl", block: codeBlock(curl, "shell") },
    ...(client === undefined ? [] : [{ name: "TypeScript", block: codeBlock(client, "typescript") }]),
  ];
  const choices = languages.map(
    ({ name }) =>
      html`<label><input type="radio" name="language-${id}-${index}" value="${name}"${name === "curl" && html` checked`}>${name}</label>`,
  );
  const shown = html`<fieldset><legend>Language</legend>${choices}</fieldset>
${languages.map(({ name, block }) => html`<div class="language" data-language="${name}">${block}</div>`)}
${
  answer &&
  html`<p class="answer">Answers <b class="${statusClass(answer.status)}">${answer.status}</b></p>
${answer.value !== undefined && code(answer.value)}`
}`;
  const heading = title === undefined ? `Example${index === 1 ? "" : ` ${index}`}` : inlineMarkdown(title);
  if (index === 1) return html`<article class="sample"><p class="title">${heading}</p>${shown}</article>`;
  return html`<details class="sample"><summary class="title">${heading}</summary>${shown}</details>`;
}
