/** Sends conditional requests (RFC 9110, section 13) to operations that document them. */
import { isValid } from "../../openapi/schema/evaluate.ts";
import { headerOf } from "../exchange.ts";
import { type Draft, writeRequest } from "../requests.ts";
import { call } from "./records.ts";
import { type Exchange, exchanged, isSuccess, ready, type Subject, type Violation } from "./trials.ts";

interface Precondition {
  readonly name: "if-match" | "if-none-match";
  readonly what: string;
  /** @param tag the ETag of the record */
  readonly value: (tag: string) => string;
  readonly holds: boolean;
}

const another = '"undocumented"';

const preconditions: readonly Precondition[] = [
  { name: "if-match", what: "*", value: () => "*", holds: true },
  { name: "if-match", what: "the ETag of the record", value: (tag) => tag, holds: true },
  { name: "if-match", what: "another ETag", value: () => another, holds: false },
  { name: "if-none-match", what: "*", value: () => "*", holds: false },
  { name: "if-none-match", what: "the ETag of the record", value: (tag) => tag, holds: false },
  { name: "if-none-match", what: "a list with the ETag", value: (tag) => `${another}, ${tag}`, holds: false },
  // It ignores whether a tag is weak (section 13.1.2).
  {
    name: "if-none-match",
    what: "the weak ETag",
    value: (tag) => `W/${tag.replace(/^W\//, "")}`,
    holds: false,
  },
  { name: "if-none-match", what: "another ETag", value: () => another, holds: true },
];

/** The requests of `preconditionViolations`, without those that read records. */
export const mostPreconditions = preconditions.length + 2;

export async function preconditionViolations(on: Subject, base: Draft): Promise<Violation[]> {
  const { operation, drafts } = on;
  const failing = operation.method === "GET" ? 304 : 412;
  const [reader, remover] = ["GET", "DELETE"].map((method) =>
    on.all.find((each) => each.operation.method === method && each.operation.path === operation.path),
  );
  if (reader === undefined || !operation.responses.some(({ status }) => status === String(failing)))
    return [];
  const found: Violation[] = [];
  const report = ({ request, response }: Exchange, message: string | undefined) => {
    if (message !== undefined) found.push({ request, response, message });
  };
  const sendIf = async (name: string, text: string) => {
    const part = drafts.parts.find(({ place: { in: place, pointer } }) =>
      place === "header" ? pointer.toLowerCase() === `/${name}` : false,
    );
    if (part === undefined || !isValid(part.node, text)) return undefined;
    const request = writeRequest(operation, part.replace(drafts.present(base), text));
    return { request, ...(await exchanged(on, request)) };
  };
  const tagOf = async () => {
    await ready(on, base);
    const { response } = await call(reader, drafts.present(base).parameters.path ?? {}, () => {});
    return isSuccess(response.status) ? headerOf(response.headers, "etag") : undefined;
  };
  for (const { name, what, value, holds } of preconditions) {
    const tag = await tagOf();
    const sent = tag === undefined ? undefined : await sendIf(name, value(tag));
    if (sent === undefined) continue;
    const { status, headers } = sent.response;
    for (const problem of sent.problems) report(sent, problem);
    const about = `header ${name} (${what}): the response is ${status}`;
    if (holds && status === failing) report(sent, about);
    if (!holds && isSuccess(status)) report(sent, `${about}, not ${failing}`);
    // Section 15.4.5.
    if (status === 304 && headerOf(headers, "etag") === undefined) report(sent, `${about} without ETag`);
  }
  const atOnce = async (name: string, text: string) => {
    const [first, second] = await Promise.all([sendIf(name, text), sendIf(name, text)]);
    const isTwice = [first, second].every((each) => each !== undefined && isSuccess(each.response.status));
    return isTwice ? second : undefined;
  };
  const tag = ["PUT", "PATCH"].includes(operation.method) ? await tagOf() : undefined;
  if (tag === undefined) return found;
  const path = drafts.present(base).parameters.path ?? {};
  const both = "two requests at the same time succeed, although the first one changes";
  const changed = await atOnce("if-match", tag);
  const { response } = await call(reader, path, () => {});
  if (changed && headerOf(response.headers, "etag") !== tag)
    report(changed, `header if-match: ${both} the ETag`);
  const removed = operation.method === "PUT" && remover && (await call(remover, path, () => {}));
  if (removed && isSuccess(removed.response.status)) {
    const made = await atOnce("if-none-match", "*");
    if (made) report(made, `header if-none-match (*): ${both} the result`);
  }
  return found;
}
