/** One measured figure, as `npm run bench` prints it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** The value below which `percent` of the sample lie (nearest rank). NaN for an empty sample. */
export function percentile(sample: readonly number[], percent: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
