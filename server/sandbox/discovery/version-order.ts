/** GA before beta before alpha, higher numbers first (apimachinery version.CompareKubeAwareVersionStrings). */
export function byPriority(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  for (let index = 0; index < left.length; index++) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function rank(version: string): number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
