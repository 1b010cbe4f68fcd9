/** The least and the most that something costs, or how large it is; the most may be endless. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** cel-go counts with 64 bits and stays at the largest number; as fractions that is 2^64. */
export const ENDLESS = 2 ** 64;

const capped = (value: number): number => Math.min(value, ENDLESS);

export const fixed = (value: number): CostRange => ({ min: value, max: value });
export const UNKNOWN: CostRange = { min: 0, max: ENDLESS };
export const FREE = fixed(0);

export const plus = (...ranges: readonly CostRange[]): CostRange =>
  ranges.reduce((sum, { min, max }) => ({ min: capped(sum.min + min), max: capped(sum.max + max) }), FREE);

export const times = (a: CostRange, b: CostRange): CostRange => ({
  min: capped(a.min * b.min),
  max: a.max === 0 || b.max === 0 ? 0 : capped(a.max * b.max),
});

/** Each end by a factor, rounded up. */
export const scaled = ({ min, max }: CostRange, factor: number): CostRange => ({
  min: capped(Math.ceil(min * factor)),
  max: capped(Math.ceil(max * factor)),
});

export const union = (a: CostRange, b: CostRange): CostRange => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
