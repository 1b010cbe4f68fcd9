import type { OperatorVersion } from '../types';

/** New values by name; null takes the Instance's own value away. */
export type GivenValues = { readonly [name: string]: string | null };

/** Those of the values that a version defines: a way over several versions takes each value as soon as a version knows it. */
export function givenFor({ spec }: OperatorVersion, given: GivenValues): GivenValues {
  const known = new Set((spec?.parameters ?? []).map(({ name }) => name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)));
}

/** Names of values that the last version does not define, in their order. */
export function unknownValues({ spec }: OperatorVersion, given: GivenValues): string[] {
  const known = new Set((spec?.parameters ?? []).map(({ name }) => name));
  return Object.keys(given).filter((name) => !known.has(name));
}
