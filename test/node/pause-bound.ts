/**
 * How long clients may be kept from writing, in milliseconds, where files of tests share the processors. The operators keep to half of it and
 * less on a machine that does nothing else: the figures are in the README of each.
 */
export const MAX_PAUSE_MS = 10_000;
