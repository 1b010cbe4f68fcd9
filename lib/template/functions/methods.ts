import { formatGoDuration } from '../dates/duration';
import { timeMethods } from '../dates/methods';
import { stringerText } from '../format/stringer';
import { semverMethods } from '../semver/methods';
import { SemverVersion } from '../value/semver-version';
import { GoLocation, GoTime } from '../value/time';
import { GO_DURATION, MONTH, WEEKDAY } from '../value/types';
import { GoInt, int64, type Value } from '../value/value';
import { fn, type GoFunction, type GoFunctionTable } from './define';

/** Methods take their receiver before the arguments; `parameters` name only the arguments. */
function self<T extends Value>(is: (value: unknown) => value is T, run: (value: T) => Value): GoFunction {
  return fn([], (_, ...values: unknown[]) => {
    const [receiver] = values;
    return is(receiver) ? run(receiver) : null;
  });
}

const isInt = (value: unknown): value is GoInt => value instanceof GoInt;
const isLocation = (value: unknown): value is GoLocation => value instanceof GoLocation;

const textMethod = self(isInt, (value) => stringerText(value) ?? '');
const namedIntMethods: GoFunctionTable = { String: textMethod };

const durationMethods: GoFunctionTable = {
  String: self(isInt, (value) => formatGoDuration(value.value)),
  Hours: self(isInt, (value) => Number(value.value) / 3.6e12),
  Minutes: self(isInt, (value) => Number(value.value) / 6e10),
  Seconds: self(isInt, (value) => Number(value.value) / 1e9),
  Milliseconds: self(isInt, (value) => int64(value.value / 1_000_000n)),
  Microseconds: self(isInt, (value) => int64(value.value / 1_000n)),
  Nanoseconds: self(isInt, (value) => int64(value.value)),
};

const locationMethods: GoFunctionTable = { String: self(isLocation, (value) => value.name) };

/** The method of a value by name, or undefined. */
export function methodOf(receiver: object, name: string): GoFunction | undefined {
  const table = tableOf(receiver);
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function tableOf(receiver: object): GoFunctionTable | undefined {
  if (receiver instanceof GoTime) return timeMethods;
  if (receiver instanceof SemverVersion) return semverMethods(receiver);
  if (receiver instanceof GoLocation) return locationMethods;
  if (!(receiver instanceof GoInt)) return undefined;
  if (receiver.type === GO_DURATION) return durationMethods;
  return receiver.type === MONTH || receiver.type === WEEKDAY ? namedIntMethods : undefined;
}

/** Fields whose names begin in lower case cannot be selected. */
export function isLowerCase(name: string): boolean {
  return /^[a-z_]/.test(name);
}
