import type { RenderEnvironment } from '../contract';
import type { TemplateBudget } from '../exec/budget';
import type { Certificate } from '../value/certificate';
import type { SemverVersion } from '../value/semver-version';
import type { GoLocation, GoTime } from '../value/time';
import type { GoMap, GoSlice, Value } from '../value/value';

/** What a function may use besides its arguments. */
export interface CallContext {
  readonly environment: RenderEnvironment;
  readonly budget: TemplateBudget;
  readonly compatibility: 'sprig3' | 'kudo019';
}

/** Go's parameter types and what an implementation receives for each. */
export interface ArgumentTypes {
  /** `interface {}`: nil is null. */
  any: Value;
  /** `reflect.Value`: nil is undefined. */
  reflect: Value;
  string: string;
  int: number;
  int64: bigint;
  uint32: number;
  float64: number;
  bool: boolean;
  /** `map[string]interface {}`, perhaps nil. */
  dict: GoMap;
  /** `[]interface {}`, perhaps nil. */
  list: GoSlice;
  time: GoTime;
  duration: bigint;
  location: GoLocation;
  certificate: Certificate;
  semver: SemverVersion | null;
}

export type ArgumentKind = keyof ArgumentTypes;

type Arguments<P extends readonly ArgumentKind[]> = { [I in keyof P]: ArgumentTypes[P[I]] };

/** A function of the table, or a method: its parameter types are checked by the evaluator before `run` is called. */
export interface GoFunction {
  readonly parameters: readonly ArgumentKind[];
  /** Type of the variadic part, if there is one. */
  readonly rest: ArgumentKind | undefined;
  readonly run: (context: CallContext, ...values: readonly unknown[]) => Value;
}

/** A function with a fixed number of parameters. */
export function fn<const P extends readonly ArgumentKind[]>(
  parameters: P,
  run: (context: CallContext, ...values: Arguments<P>) => Value,
): GoFunction {
  return { parameters, rest: undefined, run: run as GoFunction['run'] };
}

/** A variadic function: fixed parameters, then any number of `rest`. */
export function variadic<const P extends readonly ArgumentKind[], const R extends ArgumentKind>(
  parameters: P,
  rest: R,
  run: (context: CallContext, ...values: [...Arguments<P>, ...ArgumentTypes[R][]]) => Value,
): GoFunction {
  return { parameters, rest, run: run as GoFunction['run'] };
}

export type GoFunctionTable = { readonly [name: string]: GoFunction };
