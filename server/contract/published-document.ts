/** The document for tools of OpenAPI 3.1, without operations, parameters, schemas of items and fields of tags of 3.2. */
export function asOpenApi31<
  Document extends { readonly openapi: string; readonly paths: object; readonly tags?: readonly object[] },
>(document: Document): object {
  if (!document.openapi.startsWith("3.2.")) return document;
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    path.startsWith("/") ? without(item, ["query", "additionalOperations"]) : item,
  ]);
  const tags = document.tags?.map((tag) => without(tag, ["summary", "parent", "kind"]));
  return withoutParts({
    ...document,
    openapi: "3.1.1",
    ...(tags && { tags }),
    paths: Object.fromEntries(paths),
  });
}

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
}

function withoutParts(document: {
  readonly openapi: string;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}): object {
  const components = Object.entries(document.components?.parameters ?? {});
  const isKept = ({ $ref, in: place }: Parameter): boolean =>
    ($ref === undefined
      ? place
      : components.find(([name]) => $ref === `#/components/parameters/${name}`)?.[1].in) !== "querystring";
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === "content")
      return Object.fromEntries(
        Object.entries<object>(value).map(([name, media]) => [
          name,
          name.includes("/") ? without(media, ["itemSchema"]) : media,
        ]),
      );
    if (key !== "parameters") return value;
    if (Array.isArray(value)) return value.filter(isKept);
    return Object.fromEntries(Object.entries<Parameter>(value).filter(([, each]) => isKept(each)));
  });
}

function without(holder: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)));
}
