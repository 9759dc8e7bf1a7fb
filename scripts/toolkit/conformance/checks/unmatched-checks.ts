/** Sends requests that match no operation, and reports problems of the responses. */
import { headerOf, inWords } from "../exchange.ts";
import { responseProblems } from "../exchange-check.ts";
import type { ServiceModel } from "../operation-model.ts";
import { noBody } from "../requests.ts";
import { hasPath, operationFor } from "../routes.ts";
import { rejectionProblems, type ServiceUnderTest } from "../service-under-test.ts";
import type { Violation } from "./trials.ts";

const allMethods = ["GET", "PUT", "POST", "DELETE", "PATCH"];

/** The document's paths, with a value for each parameter, and the methods of each. */
function pathsOf({ operations }: ServiceModel): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of operations) {
    const target = path.replaceAll(/\{[^{}]+\}/g, "1");
    methods.set(target, (methods.get(target) ?? new Set()).add(method));
  }
  return methods;
}

export async function wrongMethods(service: ServiceUnderTest, model: ServiceModel): Promise<Violation[]> {
  const found: Violation[] = [];
  // QUERY is sent only if the document has it, because many services do not know it.
  const methods = new Set([...allMethods, ...model.operations.map(({ method }) => method)]);
  for (const [target, taken] of pathsOf(model))
    for (const method of [...methods, ...(taken.has("GET") ? [] : ["HEAD"])])
      if (!taken.has(method) && operationFor(model, { method, target }) === undefined)
        found.push(...(await unmatched(service, model, method, target, 405, [...taken])));
  return found;
}

/** Paths that services treat like the documented one by mistake. A path has a case (RFC 3986, section 6.2.2.1). */
const otherPaths: readonly ((path: string) => string)[] = [
  (path) => `${path}/undocumented`,
  (path) => `${path}x`,
  (path) => `/undocumented${path}`,
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `${path}.json`,
  (path) => `${path};a=b`,
  (path) => path.toUpperCase(),
  // A segment may contain an encoded slash, but it is not two segments.
  (path) => path.replace(/(?<=.)\//, "%2F"),
  () => "/",
];

export async function wrongPaths(service: ServiceUnderTest, model: ServiceModel): Promise<Violation[]> {
  const found: Violation[] = [];
  const sent = new Set<string>();
  for (const [target, [method = "GET"]] of pathsOf(model))
    for (const other of otherPaths.map((change) => change(target))) {
      // A service may read an empty segment as a parameter.
      const isKnown = hasPath(model, other) || hasPath(model, other.replace(/\/$/, "/1"));
      if (isKnown || sent.has(other)) continue;
      sent.add(other);
      found.push(...(await unmatched(service, model, method, other, 404)));
    }
  return found;
}

async function unmatched(
  service: ServiceUnderTest,
  { unmatched: documented }: ServiceModel,
  method: string,
  target: string,
  status: 404 | 405,
  taken: readonly string[] = [],
): Promise<Violation[]> {
  const request = { method, target, headers: [], body: noBody };
  const response = await service.send(request);
  const problems =
    documented.length === 0 ? [] : responseProblems(documented, method, response, service.undeclaredHeaders);
  const messages = problems.map(inWords);
  const allowed = headerOf(response.headers, "allow")?.split(/\s*,\s*/);
  const isRight = !allowed?.includes(method) && taken.every((each) => allowed?.includes(each));
  if (!isRight && (allowed !== undefined || response.status === 405))
    messages.push(`header /Allow says ${allowed?.join(", ") ?? "nothing"}, not ${taken.join(", ")}`);
  const reason = status === 404 ? "route_not_found" : "method_not_allowed";
  // The response to HEAD has no body, so it has no code.
  const { rejections: _, ...others } = service;
  const known = method === "HEAD" ? others : service;
  messages.push(...rejectionProblems(known, reason, response, status));
  return messages.map((message) => ({ request, response, message }));
}
