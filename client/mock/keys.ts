/** The credentials that a mock accepts: every well-formed key is valid, and its prefix decides its role. */
import type { OperationContract, SecurityRequirement } from "#specbind/contract";

const rolesByPrefix: Readonly<Record<string, string>> = { sk_: "secret", pk_: "publishable" };

export const acceptedKeys = `Every key is accepted that begins with the prefix of a kind (${Object.entries(
  rolesByPrefix,
)
  .map(([prefix, role]) => `${prefix} ${role}`)
  .join(", ")}). If the operation does
not permit the kind, the response is 403.`;

const keyForm = /^([a-z]+_)[A-Za-z0-9_]+$/;

export const authenticate = async (credential: string) => {
  const role = rolesByPrefix[keyForm.exec(credential)?.[1] ?? ""];
  return role === undefined ? undefined : { principal: role, roles: [role] };
};

/** Returns undefined if the operation needs no credential, or if no key has the roles that it needs. */
export function credentialFor(security: OperationContract["security"]): string | undefined {
  for (const [prefix, role] of Object.entries(rolesByPrefix)) {
    const isEnough = ({ roles }: SecurityRequirement) => roles.every((needed) => needed === role);
    if (security.some((alternative) => alternative.length > 0 && alternative.every(isEnough)))
      return `${prefix}mock`;
  }
  return undefined;
}
