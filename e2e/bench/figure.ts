/** One measured figure, as `npm run bench` prints it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it should be, and value divided by that; a goal "at least" is met by a ratio of 1 or more, "at most" by 1 or less. */
  readonly goal?: string;
  readonly ratio?: number;
}

/** A figure with its goal: `atLeast` or `atMost` of the figure's own unit. */
export function figure(
  name: string,
  value: number,
  unit: string,
  wanted: { readonly atLeast: number } | { readonly atMost: number },
): Figure {
  const [sign, goal] = 'atLeast' in wanted ? ['≥', wanted.atLeast] : ['≤', wanted.atMost];
  return { name, value: rounded(value), unit, goal: `${sign} ${goal}`, ratio: rounded(value / goal) };
}

/** Two digits after the point, or three for what is small. */
function rounded(value: number): number {
  const scale = Math.abs(value) < 1 ? 1_000 : 100;
  return Math.round(value * scale) / scale;
}

/** The value below which `percent` of the sample lie (nearest rank). NaN for an empty sample. */
export function percentile(sample: readonly number[], percent: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
