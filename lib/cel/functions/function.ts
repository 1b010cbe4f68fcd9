import type { CelValue } from '../values';

/**
 * The implementation of a function: undefined when it has no overload for these values. A member's target is its first argument;
 * `overload` is empty where types did not determine one.
 */
export type CelFunction = (args: readonly CelValue[], overload: string) => CelValue | undefined;

export type FunctionTable = readonly (readonly [name: string, run: CelFunction])[];
