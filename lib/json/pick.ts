/**
 * The named members of an object, in that order; those that are absent or undefined are left out. For very many objects: a spread for each
 * member takes twice as long.
 */
export function pick<T extends object>(from: T, members: readonly (keyof T)[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const member of members) if (from[member] !== undefined) picked[member] = from[member];
  return picked;
}
