/** The mock accepts any credential for every operation, which is its default. */
export const acceptedKeys = "Every credential is accepted, for every operation.";
export const authenticate = undefined;
export const credentialFor = undefined;
