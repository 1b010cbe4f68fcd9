/** `(2) Runs – Bravo`, in place of another number; without one for 0. */
export function titleWithBadge(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '');
  return count === 0 ? bare : `(${count}) ${bare}`;
}
