/** Returns milliseconds since the epoch. The domain has no other clock, so that tests can stop it. */
export type Clock = () => number;
