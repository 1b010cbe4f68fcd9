import { findParameter } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * The values that a request for an approval names, of an edit in which null takes the Instance's own value away: the default is named instead, because a
 * request cannot take a value away, and the digest is over effective values. Parameters that the version does not know are left out.
 */
export function askedValues(
  operatorVersion: OperatorVersion | undefined,
  parameters: { readonly [name: string]: string | null },
): { [name: string]: string } {
  const values = Object.entries(parameters).flatMap(([name, value]) => {
    const definition = findParameter(operatorVersion, name);
    return definition === undefined ? [] : [[name, value ?? definition.default ?? ''] as const];
  });
  return Object.fromEntries(values);
}
