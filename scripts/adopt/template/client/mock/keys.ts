/** Which credentials a mock accepts: whatever is sent is known, and may call everything. */
import { type Contract, contract, type OperationContract } from "../../generated/contract.ts";
import type { Authenticate } from "../../server/contract/pipeline.ts";

/** For those who ask how to call it. */
export const acceptedKeys = "Any credential is accepted, and may call every operation.";

const { operations }: Contract = contract;
const roles = Object.values(operations).flatMap(({ security }) =>
  security.flat().flatMap((each) => each.roles),
);

export const authenticateKey: Authenticate<string> = async (credential) => ({
  principal: credential,
  roles,
});

/** A token for an operation that takes one; undefined where none is needed, or it is no token that is. */
export function credentialFor(security: OperationContract["security"]): string | undefined {
  const takesToken = security.some(([first, ...others]) => first?.sent === undefined && others.length === 0);
  return security.length > 0 && takesToken ? "mock" : undefined;
}
