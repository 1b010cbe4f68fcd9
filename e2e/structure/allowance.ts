/** How many findings a folder may still have. A file counts for the longest folder that its path begins with. */
export type Allowance = ReadonlyMap<string, number>;

/**
 * The folders with more findings than they may have, with the findings; empty when all is well. Numbers of an allowance only
 * ever get smaller.
 *
 * @param findings `PATH: what was found`
 */
export function aboveAllowance(findings: readonly string[], allowance: Allowance): string[] {
  const folders = [...allowance.keys()].sort((a, b) => b.length - a.length);
  const found = new Map<string, string[]>();
  for (const finding of findings) {
    const folder = folders.find((each) => finding.startsWith(each)) ?? '';
    found.set(folder, [...(found.get(folder) ?? []), finding]);
  }
  return [...found].flatMap(([folder, all]) => (all.length > (allowance.get(folder) ?? 0) ? all : []));
}
