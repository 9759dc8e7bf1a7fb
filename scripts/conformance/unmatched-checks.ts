/** Sends requests that match no operation, and reports what is wrong with the responses. */
import { answerFaults, headerOf, inWords, matchRequest, undeclaredHeaders } from "./contract-check.ts";
import type { Violation } from "./operation-checks.ts";
import { noContent } from "./requests.ts";
import { refusalFaults, type ServiceUnderTest } from "./service-under-test.ts";

const allMethods = ["GET", "PUT", "POST", "DELETE", "PATCH"] as const;

/** Paths of the contract with a value for each parameter, and their methods. */
function addresses({ contract }: ServiceUnderTest): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of Object.values(contract.operations)) {
    const target = path.replaceAll(/\{[^{}]+\}/g, "1");
    methods.set(target, (methods.get(target) ?? new Set()).add(method));
  }
  return methods;
}

export async function wrongMethods(service: ServiceUnderTest): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [target, taken] of addresses(service))
    for (const method of allMethods)
      if (!taken.has(method) && matchRequest(service.contract, { method, target }).operationId === undefined)
        found.push(...(await unmatched(service, method, target, 405, [...taken])));
  return found;
}

export async function wrongAddresses(service: ServiceUnderTest): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [target, [method = "GET"]] of addresses(service))
    for (const other of [`${target}/undocumented`, `${target}x`, `/undocumented${target}`]) {
      const [fault] = matchRequest(service.contract, { method, target: other }).faults;
      if (fault?.in === "address") found.push(...(await unmatched(service, method, other, 404)));
    }
  return found;
}

async function unmatched(
  service: ServiceUnderTest,
  method: string,
  target: string,
  status: 404 | 405,
  taken: readonly string[] = [],
): Promise<Violation[]> {
  const request = { method, target, headers: [], content: noContent };
  const answer = await service.send(request);
  const { unmatched: contracts } = service.contract;
  const messages =
    Object.keys(contracts).length === 0
      ? []
      : answerFaults(contracts, method, answer).map((fault) => inWords(fault));
  for (const name of undeclaredHeaders(contracts, answer, service.undeclaredHeaders))
    messages.push(`header /${name} is not declared`);
  const allowed = headerOf(answer.headers, "allow")?.split(/\s*,\s*/);
  const isTrue = !allowed?.includes(method) && taken.every((each) => allowed?.includes(each) ?? true);
  if (!isTrue) messages.push(`header /Allow says ${allowed?.join(", ")}, not ${taken.join(", ")}`);
  const provocation = status === 404 ? "route_not_found" : "method_not_allowed";
  if (answer.status !== status) messages.push(`the response is ${answer.status}, not ${status}`);
  else messages.push(...refusalFaults(service, provocation, answer));
  return messages.map((message) => ({ request, message }));
}
