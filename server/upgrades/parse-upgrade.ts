import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { windowState } from '@/lib/kudo/upgrades/maintenance-window';
import type { OperatorUpgradeSpec } from '@/lib/kudo/upgrades/operator-upgrade';
import { limits } from '@/lib/limits/limits';
import { type ProblemCause, Refusal } from '@/server/http/problem';
import type { WaveRequest } from './start-upgrade';

/** Instances that a page plans at once. */
const MOST_PLANNED = 20;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const VERSION_CHARS = 253;

/** An upgrade as a page asks for it; `subscription` names the one whose repository and channel it follows. */
export interface UpgradeQuestion extends WaveRequest {
  readonly subscription: string | undefined;
}

/** Out of the body of a plan: at most {@link MOST_PLANNED} Instances. @throws Refusal 422 with the fields that are wrong */
export function parsePlanQuestion(body: JsonValue | undefined): UpgradeQuestion {
  return parse(body, MOST_PLANNED);
}

/** Out of the body of a start. @throws Refusal 422 with the fields that are wrong */
export function parseWaveRequest(body: JsonValue | undefined): UpgradeQuestion {
  return parse(body, limits.upgrades.instances);
}

function parse(body: JsonValue | undefined, mostInstances: number): UpgradeQuestion {
  const from = isJsonObject(body) ? body : {};
  const causes: ProblemCause[] = [];
  const refuse = (field: string, message: string): undefined => {
    causes.push({ field, message });
    return undefined;
  };
  const name = (field: string) => {
    const value = from[field];
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && NAME.test(value) ? value : refuse(field, 'must be the name of an object');
  };
  const namespace = name('namespace') ?? '';
  if (namespace === '' && causes.length === 0) refuse('namespace', 'is required');
  const given = Array.isArray(from.instances) ? from.instances : [];
  const instances = given.filter((each) => typeof each === 'string' && NAME.test(each)) as string[];
  if (instances.length === 0 || instances.length !== given.length || instances.length > mostInstances) {
    refuse('instances', `must be 1 to ${mostInstances} names of Instances`);
  }
  const text = (field: string) => {
    const value = from[field];
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && value.length <= VERSION_CHARS ? value : refuse(field, 'must be a short text');
  };
  const wish = { to: text('to'), channel: text('channel'), parameters: readParameters(from.parameters, refuse) };
  const waves = readWaves(from, refuse);
  const subscription = name('subscription');
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some fields of the request are not valid.', causes);
  return { namespace, instances: [...new Set(instances)], wish, waves, subscription };
}

type Refuse = (field: string, message: string) => undefined;

function readParameters(value: JsonValue | undefined, refuse: Refuse): { [name: string]: string } {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  if (entries.length > limits.upgrades.parameters)
    refuse('parameters', `has more than ${limits.upgrades.parameters} values`);
  return Object.fromEntries(
    entries.flatMap(([name, text]) => {
      if (typeof text === 'string') return [[name, text] as const];
      refuse(name, 'must be a text, whatever its type');
      return [];
    }),
  );
}

function readWaves(from: JsonObject, refuse: Refuse): Partial<OperatorUpgradeSpec> {
  const { waveSize, pauseOnFailure, rollBackWave, confirm, reason, window } = from;
  const size = Number(waveSize ?? 1);
  if (!Number.isInteger(size) || size < 1 || size > limits.upgrades.instances) {
    refuse('waveSize', `must be a whole number from 1 to ${limits.upgrades.instances}`);
  }
  const read = isJsonObject(window) ? windowOf(window) : undefined;
  if (typeof read === 'string') refuse('window', read);
  return {
    waveSize: size,
    ...(pauseOnFailure === false ? { pauseOnFailure } : {}),
    ...(rollBackWave === true ? { rollBackWave } : {}),
    ...(typeof confirm === 'string' && confirm !== '' ? { confirm } : {}),
    ...(typeof reason === 'string' && reason !== '' ? { reason: reason.slice(0, 500) } : {}),
    ...(read === undefined || typeof read === 'string' ? {} : { window: read }),
  };
}

function windowOf({
  start,
  durationMinutes,
  timeZone,
}: JsonObject): NonNullable<OperatorUpgradeSpec['window']> | string {
  const window = {
    start: typeof start === 'string' ? start : '',
    durationMinutes: Number(durationMinutes ?? 60),
    ...(typeof timeZone === 'string' && timeZone !== '' ? { timeZone } : {}),
  };
  const state = windowState(window, 0);
  if (typeof state === 'string') return state;
  const isWhole = Number.isInteger(window.durationMinutes) && window.durationMinutes >= 1;
  return isWhole ? window : 'The window must be open for a whole number of minutes.';
}
