/** The only notion of now that the domain has: whoever starts the program passes the clock in, and tests a frozen one. */

/** Answers milliseconds since the epoch. */
export type Clock = () => number;
