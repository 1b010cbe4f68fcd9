import type { CelValue } from '../values';

/**
 * What a function does: undefined when it takes no such values. A member's target is its first argument; `overload` is
 * empty where types did not decide for one.
 */
export type CelFunction = (args: readonly CelValue[], overload: string) => CelValue | undefined;

export type FunctionTable = readonly (readonly [name: string, run: CelFunction])[];
