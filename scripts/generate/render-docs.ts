/**
 * Renders `docs.html`: the reference of an interface as one page that needs nothing else, of no other host and of no script.
 * Its policy lets nothing run but the page's own script, whatever a spec says.
 */
import { hash } from "node:crypto";
import { Codes } from "./docs/codes.ts";
import { Html, html, joined, type Part } from "./docs/html.ts";
import { inlineMarkdown, markdown } from "./docs/markdown.ts";
import {
  breakable,
  credentialText,
  methodClass,
  operationSection,
  schemeId,
  titleOf,
} from "./docs/operation.ts";
import { codeId, type ResponseParts, responsesOf } from "./docs/responses.ts";
import type { SampleSource } from "./docs/samples.ts";
import { Schemas } from "./docs/schemas.ts";
import { script } from "./docs/script.ts";
import { style } from "./docs/style.ts";
import { follow, isObject, type JsonObject, pointerTo, valueAt } from "./document.ts";
import type { Model, Operation, Response } from "./model.ts";
import { pageBanner } from "./source-text.ts";

const policy = [
  "default-src 'none'",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** @param spec whose document has only local references, and schemas of one meaning each */
export function renderDocs({ document }: { readonly document: JsonObject }, model: Model): string {
  const { operations, unmatched } = model;
  const parts: ResponseParts = { document, schemas: new Schemas(document), codes: new Codes(document) };
  const info = isObject(document.info) ? document.info : {};
  const clientPackage = info["x-client-package"];
  const source: SampleSource = {
    document,
    baseUrl: baseUrlOf(document),
    clientPackage: typeof clientPackage === "string" ? clientPackage : undefined,
  };
  const groups = groupsOf(document, operations);
  const sections = groups.map(
    ({ name, id, description, operations }) => html`<section id="${id}"><h2>${name}</h2>
${description}${operations.map((operation) => operationSection(parts, source, operation))}</section>
`,
  );
  const errors = errorsSection(parts, operations, unmatched);
  const schemas = parts.schemas.sections((name, id) => html`<h3><a href="#${id}">${name}</a></h3>`);
  const title = String(info.title ?? "API");
  const links: readonly Part[] = [
    html`<ul><li><a href="#overview-section">Overview</a></li><li><a href="#authentication-section">Authentication</a></li></ul>`,
    ...groups.map(
      ({ name, operations }) =>
        html`<p>${name}</p>
<ul>${operations.map(
          (operation) => html`
<li><a href="#${operation.id}">${titleOf(parts, operation)}</a></li>`,
        )}
</ul>`,
    ),
    html`<p>Shared</p><ul><li><a href="#errors-section">Errors</a></li>${schemas.length > 0 && html`<li><a href="#schemas-section">Schemas</a></li>`}</ul>`,
  ];
  return html`${new Html(pageBanner)}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title} ${String(info.version ?? "")}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><b>${title}</b><button type="button" popovertarget="menu">Contents</button></header>
<nav id="menu" popover aria-label="Contents"><p class="name">${title}</p>
${joined(links, "\n")}
</nav>
<main id="main">
<section id="overview-section"><h1>${title} <small>${String(info.version ?? "")}</small></h1>
${typeof info.summary === "string" && html`<p class="lead">${inlineMarkdown(info.summary)}</p>`}
${factsOf(source)}
${typeof info.description === "string" && markdown(info.description, 2)}</section>
${authenticationSection(document, operations)}
${sections}
${errors}
${schemas.length > 0 && html`<section id="schemas-section"><h2>Schemas</h2>${schemas}</section>`}
</main>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

function digest(text: string): string {
  return `sha256-${hash("sha256", text, "base64")}`;
}

/** The first server, with the defaults of its variables; a relative one on a host that stands for any. */
function baseUrlOf(document: JsonObject): string {
  const server = valueAt(document, "/servers/0");
  const { url, variables } = isObject(server) ? server : {};
  const template = typeof url === "string" ? url : "/";
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = valueAt(variables, pointerTo("", name));
    return String(isObject(variable) ? variable.default : name);
  });
  return URL.canParse(filled) ? filled : new URL(filled, "https://api.example.com").href;
}

function factsOf({ document, baseUrl }: SampleSource): Html {
  const server = valueAt(document, "/servers/0");
  const description = isObject(server) && typeof server.description === "string" && server.description;
  return html`<dl class="facts"><dt>Base URL</dt><dd><code>${baseUrl}</code>${description && html` ${inlineMarkdown(description)}`}</dd></dl>`;
}

function authenticationSection(document: JsonObject, operations: readonly Operation[]): Html {
  const used = new Map(
    operations
      .flatMap(({ security }) => security.flat())
      .map((requirement) => [requirement.scheme, requirement]),
  );
  const schemes = [...used.values()].map(({ scheme, sent }) => {
    const definition = follow(document, pointerTo("/components/securitySchemes", scheme)).value;
    const description = isObject(definition) ? definition.description : undefined;
    return html`<section id="${schemeId(scheme)}"><h3><code>${scheme}</code></h3><p>Sent as ${sentText(sent)}.</p>
${typeof description === "string" && markdown(description)}</section>`;
  });
  const rows = operations.map(
    ({ id, method, path, security }) =>
      html`<tr><td><a href="#${id}"><code>${id}</code></a><br><b class="${methodClass(method)}">${method}</b> <code>${breakable(path)}</code></td><td>${credentialText(security)}</td></tr>
`,
  );
  return html`<section id="authentication-section"><h2>Authentication</h2>
${schemes.length === 0 && html`<p>No operation asks for a credential.</p>`}${schemes}
${schemes.length > 0 && html`<h3>What each operation takes</h3><table class="stacked"><thead><tr><th>Operation</th><th>Credential</th></tr></thead><tbody>${rows}</tbody></table>`}</section>
`;
}

function sentText(sent: Operation["security"][number][number]["sent"]): Html {
  if (sent === "bearer") return html`the header <code>Authorization: Bearer …</code>`;
  if (sent === "basic") return html`the header <code>Authorization: Basic …</code>, a user and a password`;
  if (sent === "unknown") return html`nothing that is known here`;
  const place = sent.in === "query" ? "query parameter" : sent.in;
  return html`the ${place} <code>${sent.name}</code>`;
}

interface Group {
  readonly name: string;
  readonly id: string;
  readonly description: Part;
  readonly operations: readonly Operation[];
}

/** By the first tag of each operation, in the order of the document's tags. */
function groupsOf(document: JsonObject, operations: readonly Operation[]): Group[] {
  const tagOf = ({ pointer }: Operation): string =>
    String(valueAt(document, pointerTo(pointer, "tags", 0)) ?? "Operations");
  const declared = Array.isArray(document.tags) ? document.tags.filter(isObject) : [];
  const byTag = Map.groupBy(operations, tagOf);
  const names = new Set([...declared.map(({ name }) => String(name)), ...byTag.keys()]);
  const taken = new Set<string>();
  return [...names].flatMap((name) => {
    const own = byTag.get(name);
    if (own === undefined) return [];
    const description = declared.find((tag) => tag.name === name)?.description;
    const shown = typeof description === "string" ? markdown(description) : undefined;
    let id = `group-${name.replaceAll(/[^\w-]+/g, "-")}`;
    while (taken.has(id)) id += "-";
    taken.add(id);
    return [{ name: titled(name), id, description: shown, operations: own }];
  });
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Every code with its meaning and statuses, and what requests are answered that match no operation. */
function errorsSection(
  parts: ResponseParts,
  operations: readonly Operation[],
  unmatched: readonly Response[],
): Html {
  const { document, codes } = parts;
  const statuses = new Map<string, Set<string>>();
  const responses = [
    ...operations.flatMap(({ pointer, responses }) =>
      responses.map((response) => ({ response, pointer: pointerTo(pointer, "responses", response.status) })),
    ),
    ...unmatched.map((response) => ({
      response,
      pointer: pointerTo("/x-unmatched-responses", response.status),
    })),
  ];
  if (codes.all.length > 0)
    for (const { response, pointer } of responses)
      for (const { code } of codes.of(follow(document, pointer).pointer, response))
        statuses.set(code, (statuses.get(code) ?? new Set()).add(response.status));
  const rows = codes.all.map(
    ({ code, meaning }) =>
      html`<tr id="${codeId(code)}"><td><code>${code}</code></td><td>${[...(statuses.get(code) ?? [])].toSorted().join(", ")}</td><td>${inlineMarkdown(meaning)}</td></tr>`,
  );
  return html`<section id="errors-section"><h2>Errors</h2>
${rows.length > 0 && html`<table class="stacked"><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table>`}
${
  unmatched.length > 0 &&
  html`<h3>Requests that match no operation</h3>
${responsesOf(parts, "/x-unmatched-responses", unmatched, "unmatched-request")}`
}
${rows.length === 0 && unmatched.length === 0 && html`<p>Failures are told with each operation, by status.</p>`}</section>
`;
}
