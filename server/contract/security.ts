/** Holds a request to the security that the spec states for its operation. */
import type { OperationContract, SecurityRequirement } from "../../generated/contract.ts";
import { Refusal } from "./refusal.ts";

/** Whom a credential stands for, and the roles that it has. */
export interface Authenticated<Principal> {
  readonly principal: Principal;
  readonly roles: readonly string[];
}

/** Looks a credential up. Undefined where it is mistyped, unknown or revoked. */
export type Authenticate<Principal> = (credential: string) => Promise<Authenticated<Principal> | undefined>;

/** Where credentials stand in a request, as they were sent. */
export interface CredentialSource {
  header(name: string): string | undefined;
  query(name: string): string | undefined;
  cookie(name: string): string | undefined;
}

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearerCredential = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
/** RFC 7617, section 2: base64 of the user's name, a colon and the password. */
const basicCredential = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** How far a credential got: `forbidden` holds, but lacks a role. */
type Judged<Principal> =
  | { readonly verdict: "missing" | "invalid" | "forbidden" }
  | { readonly verdict: "holds"; readonly principal: Principal };

/**
 * The principal of the first alternative of which every credential has its roles, by the first of them; undefined where
 * the operation asks for none, or lets go without and none was sent.
 *
 * @throws Refusal `credential_missing`, `credential_invalid` or `role_missing`
 */
export async function authorise<Principal>(
  source: CredentialSource,
  security: OperationContract["security"],
  authenticate: { readonly [scheme: string]: Authenticate<Principal> },
): Promise<Principal | undefined> {
  if (security.length === 0) return undefined;
  const known = new Map<string, Authenticated<Principal> | undefined>();
  const judge = async (requirement: SecurityRequirement): Promise<Judged<Principal>> => {
    const { scheme, roles } = requirement;
    const credential = credentialIn(source, requirement);
    if (credential === undefined) return { verdict: "missing" };
    if (!known.has(scheme))
      known.set(scheme, credential === "" ? undefined : await authenticate[scheme]?.(credential));
    const found = known.get(scheme);
    if (found === undefined) return { verdict: "invalid" };
    if (!roles.every((role) => found.roles.includes(role))) return { verdict: "forbidden" };
    return { verdict: "holds", principal: found.principal };
  };

  const verdicts = new Set<Judged<Principal>["verdict"]>();
  for (const alternative of security) {
    const judged: Judged<Principal>[] = [];
    for (const requirement of alternative) judged.push(await judge(requirement));
    const [first] = judged;
    if (first?.verdict === "holds" && judged.every(({ verdict }) => verdict === "holds"))
      return first.principal;
    const worst = (["missing", "invalid", "forbidden"] as const).find((each) =>
      judged.some(({ verdict }) => verdict === each),
    );
    if (worst !== undefined) verdicts.add(worst);
  }
  if (verdicts.has("forbidden"))
    throw new Refusal({
      reason: "role_missing",
      needed: security.flatMap((alternative) => alternative.flatMap(({ roles }) => roles)),
    });
  if (verdicts.has("invalid")) throw new Refusal({ reason: "credential_invalid" });
  if (security.some((alternative) => alternative.length === 0)) return undefined;
  throw new Refusal({ reason: "credential_missing" });
}

/** Undefined where none was sent, empty where what was sent cannot be one. */
function credentialIn(source: CredentialSource, { sent }: SecurityRequirement): string | undefined {
  if (sent === "unknown") return undefined;
  if (typeof sent === "object") {
    const text = source[sent.in](sent.name);
    return text === "" ? undefined : text;
  }
  const authorization = source.header("authorization");
  if (authorization === undefined || authorization.trim() === "") return undefined;
  if (sent === undefined) return bearerCredential.exec(authorization)?.[1] ?? "";
  const encoded = basicCredential.exec(authorization)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
}
