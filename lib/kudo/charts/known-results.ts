import type { JsonValue } from '@/lib/json/json';
import { isTruthy, type Meaning, NOTHING, Unconvertible } from './meaning';

/** `default` and `coalesce` with operands that are known to be empty or not. */
export function withoutEmpty(name: string, all: readonly Meaning[]): Meaning | undefined {
  const [first = NOTHING, second = NOTHING] = all;
  if (name === 'coalesce') {
    const rest = all.filter((each) => each.kind !== 'constant' || isTruthy(each.value));
    return rest.length === 0 ? NOTHING : rest.length === 1 || rest[0]?.kind === 'constant' ? rest[0] : undefined;
  }
  if (second.kind !== 'constant') return undefined;
  return isTruthy(second.value) ? second : first;
}

/** `and` and `or` with a constant that decides; constants that cannot decide do not matter. */
export function decided(all: readonly Meaning[], stopsAt: boolean): Meaning | undefined {
  const [first, ...rest] = all;
  // The operand before it may be the result, but it is as true or false.
  const deciding = all.find((each) => each.kind === 'constant' && isTruthy(each.value) === stopsAt);
  if (deciding !== undefined && !stopsAt) return { kind: 'constant', value: false };
  if (first?.kind !== 'constant') return undefined;
  if (rest.length === 0 || isTruthy(first.value) === stopsAt) return first;
  return rest.length === 1 ? rest[0] : decided(rest, stopsAt);
}

/** A text that is known now. */
export function knownText(meaning: Meaning): string {
  if (meaning.kind === 'constant' && typeof meaning.value === 'string') return meaning.value;
  throw new Unconvertible('a name is computed');
}

/** Gives an {@link Unconvertible} without a place the place of the expression. */
export function locate<T>(at: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Unconvertible && error.at < 0) throw new Unconvertible(error.message, at);
    throw error;
  }
}

/** True for a text that is known now. */
export function isConstantText(meaning: Meaning): meaning is { kind: 'constant'; value: JsonValue & string } {
  return meaning.kind === 'constant' && typeof meaning.value === 'string';
}
