/** Explains to the operator why a server cannot start. All errors are shown together. */

interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

/** @throws Error with the setting to change if the server cannot listen on the address */
export async function explainListenError<Server>(
  server: Promise<Server>,
  settings: AddressSettings,
): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    throw new Error(listenError(error, settings));
  }
}

/** @throws AggregateError with the errors of both promises. Equal errors are listed once */
export async function bothOrAllErrors<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  const ends = await Promise.allSettled([first, second]);
  const errors = ends.flatMap((end) => (end.status === "rejected" ? startErrors(end.reason) : []));
  // Both servers may have the same address, and then both fail with the same error.
  if (errors.length > 0) throw new AggregateError(new Set(errors));
  return Promise.all([first, second]);
}

/** Returns a line for each error. An operator, unlike an API caller, may see internals. */
export function startErrors(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(startErrors);
  return [error instanceof Error ? error.message : String(error)];
}

function listenError(error: unknown, { host, port }: AddressSettings): string {
  if (!(error instanceof Error)) return String(error);
  const place = "port" in error && "address" in error ? `${error.address}:${error.port}` : host;
  switch ("code" in error && error.code) {
    case "EADDRINUSE":
      return `${place} is in use; stop the program that listens there, or set ${port} to another port`;
    case "EACCES":
      return `this user may not listen on ${place}; set ${port} to 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine; set it, for example, to 127.0.0.1 or 0.0.0.0`;
    default:
      return error.message;
  }
}
