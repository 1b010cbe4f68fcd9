import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import type { Difference } from './drift';

/** Texts that must not be shown: values of secret parameters; `any text` when they are not known. Numbers and booleans are none. */
export type SecretTexts = ReadonlySet<string> | 'any text';

const MOST = 4;
const LONGEST = 60;
/** A shorter secret (a single digit, "no") would hide half of every sentence and protect nothing. */
const SHORTEST_SECRET = 4;

/**
 * What differs, for a person: `spec.ports[0].port is 5433, the last plan left 5432`. Values of Secrets, of names that sound
 * like secrets and of secret parameters are not shown; long ones and lists are not either.
 */
export function driftWords(
  object: Pick<KubeObject, 'kind'>,
  differences: readonly Difference[],
  secrets: SecretTexts,
): string {
  const shown = differences.slice(0, MOST).map((difference) => oneDifference(object, difference, secrets));
  const more = differences.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function oneDifference(object: Pick<KubeObject, 'kind'>, difference: Difference, secrets: SecretTexts): string {
  const { path, wanted, live } = difference;
  const isHidden = isSecretPlace(object, path) || [wanted, live].some((value) => holdsSecret(value, secrets));
  const was = isHidden ? undefined : wordOf(wanted);
  if (live === undefined || live === null) {
    return was === undefined ? `${path} is not set` : `${path} is not set, the last plan left ${was}`;
  }
  const is = isHidden ? undefined : wordOf(live);
  if (is === undefined || was === undefined) return `${path} is not what the last plan left`;
  return `${path} is ${is}, the last plan left ${was}`;
}

function wordOf(value: JsonValue): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const text = JSON.stringify(value);
  return text.length > LONGEST || text.includes('\\n') ? undefined : text;
}

/** Data of a Secret, and every place with a name that sounds like one (`env[DB_PASSWORD].value`, `data.token`). */
function isSecretPlace(object: Pick<KubeObject, 'kind'>, path: string): boolean {
  if (object.kind === 'Secret' && /^(data|stringData)\b/.test(path)) return true;
  return path.split(/[.[\]"]+/).some((part) => part !== '' && isSecretParameter(part));
}

function holdsSecret(value: JsonValue | undefined, secrets: SecretTexts): boolean {
  if (value === undefined) return false;
  if (secrets === 'any text') return typeof value === 'string' && value.length >= SHORTEST_SECRET;
  if (secrets.size === 0) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  for (const secret of secrets) if (secret.length >= SHORTEST_SECRET && text.includes(secret)) return true;
  return false;
}
