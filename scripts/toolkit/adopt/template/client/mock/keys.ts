/** The mock accepts any credential for every operation. */
import type { Contract, OperationContract } from "#specbind/contract";
import { contract } from "../../generated/contract.ts";
import type { Authenticate } from "../../server/runtime/contract/pipeline.ts";

export const acceptedKeys = "Every credential is accepted, for every operation.";

const { operations }: Contract = contract;
const roles = Object.values(operations).flatMap(({ security }) =>
  security.flat().flatMap((each) => each.roles),
);

export const authenticateKey: Authenticate<string> = async (credential) => ({
  principal: credential,
  roles,
});

/** Undefined if no credential is needed. */
export function credentialFor(security: OperationContract["security"]): string | undefined {
  return security.length > 0 && security.every((alternative) => alternative.length > 0) ? "mock" : undefined;
}
