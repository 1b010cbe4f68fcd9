import type { Invariant } from './fact';

/** I8: some time after the last change, every copy of the state (a controller's cache, the console's store) equals what the API lists. */
export const cacheTruth: Invariant = (report) => (fact) => {
  if (fact.fact !== 'copy') return;
  for (const [key, revision] of fact.truth) {
    const held = fact.held.get(key);
    if (held === undefined) report(`I8: ${fact.of} lacks ${key}`);
    else if (held !== revision) report(`I8: ${fact.of} holds ${key} at ${held}, it is at ${revision}`);
  }
  for (const key of fact.held.keys())
    if (!fact.truth.has(key)) report(`I8: ${fact.of} still holds ${key}, which was deleted`);
};
