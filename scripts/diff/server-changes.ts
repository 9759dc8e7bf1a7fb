/** Compares the servers of an operation, and the variables of their URLs. */
import { entriesOf, isObject, valueAt } from "../openapi/document.ts";
import { below, nodeAt, type SpecNode, textsOf } from "./facts.ts";
import { child, type Pair, pairsOf, type ReportChange } from "./pair.ts";

export function serverChanges(operation: Pair, item: Pair, report: ReportChange): void {
  const pairs = pairsOf(serversOf(operation.old, item.old), serversOf(operation.now, item.now));
  for (const [url, server] of pairs) {
    if (server.now.value === undefined)
      report(server.old, `server ${url} is gone`, ["major", "calls to it find nothing"], "document");
    else if (server.old.value === undefined)
      report(server.now, `server ${url} is new`, ["minor", "callers may call it"], "document");
    else variableChanges(child(server, "variables"), report);
  }
}

/** By URL. Without `servers`, the only one is `/` (OpenAPI 3.1, OpenAPI Object). */
function serversOf(operation: SpecNode, item: SpecNode): Map<string, SpecNode> {
  const root = nodeAt(operation.spec, "");
  const list = [operation, item, root]
    .map((holder) => below(holder, "servers"))
    .find(({ value }) => Array.isArray(value) && value.length > 0);
  if (list === undefined || !Array.isArray(list.value)) return new Map([["/", { ...root, value: {} }]]);
  return new Map(
    list.value.flatMap((value, index) =>
      isObject(value) && typeof value.url === "string" ? [[value.url, below(list, index)] as const] : [],
    ),
  );
}

function variableChanges(variables: Pair, report: ReportChange): void {
  for (const [name] of entriesOf(variables.old.value)) {
    const { old, now } = child(variables, name);
    const label = `server variable ${name}`;
    const [was = [], is = []] = [old, now].map(({ value }) => textsOf(valueAt(value, "/enum")));
    if (valueAt(old.value, "/default") !== valueAt(now.value, "/default"))
      report(now, `the default of ${label} is another`, ["major", "calls go elsewhere"], "document");
    const isClosed = is.length > 0 && valueAt(old.value, "/enum") === undefined;
    const isNarrower = is.length > 0 && was.some((value) => !is.includes(value));
    if (!isClosed && is.some((value) => !was.includes(value)))
      report(now, `${label} takes more values`, ["minor", "callers may use them"], "document");
    if (isClosed || isNarrower)
      report(now, `${label} takes fewer values`, ["major", "calls to the others find nothing"], "document");
  }
}
