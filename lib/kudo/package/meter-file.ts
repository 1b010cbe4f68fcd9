import { limits } from '@/lib/limits/limits';
import { INSTANCES_METER, isMeterName, isMeterUnit, type Meter, meterValue } from '../usage/meter';
import type { Fields } from './fields';

const KEY = 'meter';
const KEYS: ReadonlySet<string> = new Set(['name', 'unit', 'value']);

/** The list `meter` of operator.yaml; undefined when the file has none. Unlike KUDO's own keys it is read strictly. */
export function readMeters(fields: Fields): Meter[] | undefined {
  if (!fields.has(KEY)) return undefined;
  const names = new Set<string>();
  const meters = fields.list(KEY, (each) => readMeter(each, names));
  if (meters.length > limits.usage.meters) {
    fields.problem(KEY, `an operator has at most ${limits.usage.meters} meters, and this one has ${meters.length}`);
  }
  return meters;
}

function readMeter(fields: Fields, names: Set<string>): Meter {
  const meter = { name: fields.text('name') ?? '', unit: fields.text('unit') ?? '', value: fields.text('value') ?? '' };
  const { name, unit, value } = meter;
  if (name === INSTANCES_METER) fields.problem('name', `every operator counts "${INSTANCES_METER}"; use another name`);
  else if (!isMeterName(name)) {
    fields.problem('name', `"${name}" is not a name of a meter: use lower case letters, digits and -`);
  }
  if (names.has(name)) fields.problem('name', `two meters have the name "${name}"`);
  names.add(name);
  if (!isMeterUnit(unit)) fields.problem('unit', `"${unit}" is not a unit: write a word such as node-hours`);
  if (!value.includes('{{') && meterValue(value) === undefined) {
    fields.problem('value', `"${value}" is not a number from 0 to 1000000, and no template`);
  }
  if (value.length > limits.usage.valueChars) {
    fields.problem('value', `the value is longer than ${limits.usage.valueChars} characters`);
  }
  for (const key of fields.names()) {
    if (!KEYS.has(key.toLowerCase()))
      fields.problem(key, `"${key}" is not a field of a meter; fields are name, unit and value`);
  }
  return meter;
}
