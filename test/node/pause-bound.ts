/**
 * How long clients may be kept from writing, in milliseconds, where several files of tests share the processors of a machine that has other
 * work too: a bound that only a client that is shut out exceeds. What the operators take on a machine that does nothing else is measured,
 * and listed in the README of each.
 */
export const MAX_PAUSE_MS = 30_000;
