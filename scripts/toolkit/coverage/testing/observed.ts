/** Records the exchanges of a test file. The recorder is loaded when the first exchange ends. */

import { type AnyHandlers, type Awaitable, andThen, type SettledExchange } from "#specbind/server";
import type { Recorder } from "../recorder.ts";

/** What a handler reads of a request. */
type ParameterValues = Readonly<Record<"path" | "query" | "header" | "cookie", Record<string, unknown>>>;

let recorder: Promise<Recorder> | undefined;
let done: Promise<void> = Promise.resolve();

async function loadRecorder(): Promise<Recorder> {
  const [{ createRecorder }, { default: document }] = await Promise.all([
    import("../recorder.ts"),
    import("../../../../generated/openapi.json", { with: { type: "json" } }),
  ]);
  return createRecorder(document);
}

function record(take: (recorder: Recorder) => void): void {
  recorder ??= loadRecorder();
  const loaded = recorder;
  done = done.then(async () => take(await loaded));
}

/** Resolves when all exchanges so far are recorded. */
export function recorded(): Promise<void> {
  return done;
}

/** Options of `createApp` that record exchanges. */
export const observed = {
  onSettled: (exchange: SettledExchange): void => record(({ take }) => take(exchange)),

  /** Records which parameters a handler reads, because a parameter that is never read has no effect. */
  handlers<Principal>(handlers: AnyHandlers<Principal>): AnyHandlers<Principal> {
    const noting = Object.entries(handlers).map(([operationId, handler]) => {
      const noted: AnyHandlers<Principal>[string] = (request: ParameterValues, context) => {
        const used = new Set<string>();
        const returned = handler({ ...request, ...notedIn(request, used) } as never, context);
        return andThen(returned as Awaitable<{ status: number }>, (response) => {
          // If the service fails, the read parameters had no effect.
          if (response.status < 500)
            for (const parameter of used) record(({ takeUse }) => takeUse(operationId, parameter));
          return response;
        });
      };
      return [operationId, noted];
    });
    return Object.fromEntries(noting);
  },
};

/** @param used each parameter that is read is added to it, as `in /name` */
function notedIn(values: ParameterValues, used: Set<string>): ParameterValues {
  const noted = (place: keyof ParameterValues): Record<string, unknown> => {
    const copy = {};
    for (const [name, value] of Object.entries(values[place]))
      Object.defineProperty(copy, name, {
        enumerable: true,
        get: () => {
          used.add(`${place} /${name}`);
          return value;
        },
      });
    return copy;
  };
  return { path: noted("path"), query: noted("query"), header: noted("header"), cookie: noted("cookie") };
}
