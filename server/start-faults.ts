/** Why a server cannot start, in words for whoever starts it: what to change, and all at once. */

/** Where an address comes from. */
interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

/** Why the server cannot start, a line each. */
class StartError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "StartError";
    this.faults = faults;
  }
}

/** @throws StartError where the address cannot be listened on; it names the setting to change */
export async function explainListenFault<Server>(
  server: Promise<Server>,
  settings: AddressSettings,
): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    throw new StartError([listenFault(error, settings)]);
  }
}

/** @throws StartError with the faults of both, each once */
export async function bothOrAllFaults<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  const ends = await Promise.allSettled([first, second]);
  const faults = ends.flatMap((end) => (end.status === "rejected" ? startFaults(end.reason) : []));
  // Both may listen on the one address that cannot be.
  if (faults.length > 0) throw new StartError([...new Set(faults)]);
  return Promise.all([first, second]);
}

/** One line for each; unlike a caller of the API, who starts the server may know the inside. */
export function startFaults(error: unknown): readonly string[] {
  if (error instanceof StartError) return error.faults;
  return [error instanceof Error ? error.message : String(error)];
}

function listenFault(error: unknown, { host, port }: AddressSettings): string {
  if (!(error instanceof Error)) return String(error);
  const place = "port" in error && "address" in error ? `${error.address}:${error.port}` : host;
  switch ("code" in error && error.code) {
    case "EADDRINUSE":
      return `${place} is in use; stop what listens there, or set ${port} to another port`;
    case "EACCES":
      return `${place} may not be listened on by this user; set ${port} to 1024 or higher`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; set it to one, such as 127.0.0.1 or 0.0.0.0`;
    default:
      return error.message;
  }
}
