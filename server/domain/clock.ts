/** Returns milliseconds since the epoch. The domain uses no other clock, so that tests can set the time. */
export type Clock = () => number;
