import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Collected } from './find-parameters';
import { displayTitle, upperSnake } from './parameter-list';

/** Keys whose value may be any random text. */
const GENERATED = /pass(word|wd|phrase)?$|token$|secret$/i;

/**
 * Makes each value of a Secret a secret parameter. Values never become defaults. Passwords and tokens are generated when nobody gives
 * them; everything else is required. The object is changed.
 */
export function secretValuesToParameters(object: KubeObject, prefix: string, collected: Collected): void {
  for (const field of ['data', 'stringData'] as const) {
    const values = object[field];
    if (!isJsonObject(values)) continue;
    for (const [key, value] of Object.entries(values)) {
      if (typeof value === 'string') values[key] = secretToken({ object, prefix, field, key, value }, collected);
    }
  }
}

interface SecretValue {
  readonly object: KubeObject;
  readonly prefix: string;
  readonly field: 'data' | 'stringData';
  readonly key: string;
  readonly value: string;
}

function secretToken({ object, prefix, field, key, value }: SecretValue, collected: Collected): string {
  const text = field === 'data' ? fromBase64(value) : value;
  const isGenerated = object.type !== 'kubernetes.io/tls' && GENERATED.test(key) && isOneLine(text);
  const description = describe(key, nameOf(object), { isGenerated, isBinary: text === undefined });
  const parameter = addParameter(`${prefix}${upperSnake(key)}`, description, isGenerated, collected);
  const given = isGenerated ? `.Params.${parameter} | default (randAlphaNum 24)` : `.Params.${parameter}`;
  const what = isGenerated ? 'is generated without a value' : 'is required';
  collected.note('check', `The value of ${key} was left out; the parameter ${parameter} ${what}.`);
  const isEncoded = field === 'data' && text !== undefined;
  return collected.slots.token(isEncoded ? `${given} | b64enc | quote` : `${given} | quote`);
}

function addParameter(name: string, description: string, isGenerated: boolean, { parameters }: Collected): string {
  return parameters.add({
    name,
    displayName: displayTitle(name),
    description,
    type: 'string',
    secret: true,
    group: 'access',
    ...(isGenerated ? { required: false, trigger: 'deploy' } : {}),
  });
}

function describe(key: string, secret: string, is: { isGenerated: boolean; isBinary: boolean }): string {
  const what = `Value of ${key} in Secret ${secret}.`;
  if (is.isBinary) return `${what} The value is in base64.`;
  return is.isGenerated ? `${what} Without one, each run of the plan deploy generates a new one.` : what;
}

function isOneLine(text: string | undefined): boolean {
  return text !== undefined && text.length <= 128 && !/[\r\n]/.test(text);
}

/** The text of base64; undefined for what is no base64, or bytes that are no text. */
function fromBase64(value: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(value.replace(/\s/g, '')), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
