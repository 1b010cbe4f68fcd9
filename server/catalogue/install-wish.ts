import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { MAX_INSTANCE_NAME } from '@/lib/kudo/names';
import type { InstallRequest } from '@/lib/kudo/package/catalogue';
import { limits } from '@/lib/limits/limits';
import { type ProblemCause, Refusal } from '@/server/http/problem';

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const MAX_NAMESPACE = 63;
const CRD_NAME = /^[a-z0-9.-]{1,253}$/;

/**
 * The target of an installation, from a request's body: `{namespace, instance, parameters, inline?, skipCrds?, adoptCrds?}`.
 *
 * @throws Refusal 422 with the invalid fields
 */
export function parseInstallWish(body: JsonValue | undefined): InstallRequest {
  const causes: ProblemCause[] = [];
  const read = (field: string, maxLength: number): string => {
    const value = isJsonObject(body) ? body[field] : undefined;
    if (typeof value === 'string' && NAME.test(value) && value.length <= maxLength) return value;
    causes.push({ field, message: `must be lower-case letters, digits and dashes, at most ${maxLength}` });
    return '';
  };
  const namespace = read('namespace', MAX_NAMESPACE);
  const instance = read('instance', MAX_INSTANCE_NAME);
  const parameters = isJsonObject(body) && isJsonObject(body.parameters) ? body.parameters : {};
  const texts: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string') texts[name] = value;
    else causes.push({ field: name, message: 'must be a string' });
  }
  const adoptCrds = isJsonObject(body) ? readNames(body.adoptCrds) : [];
  if (adoptCrds === undefined) causes.push({ field: 'adoptCrds', message: 'must be a list of names of CRDs' });
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some fields of the request are not valid.', causes);
  const isSet = (field: string) => isJsonObject(body) && body[field] === true;
  return {
    namespace,
    instance,
    parameters: texts,
    inline: isSet('inline'),
    skipCrds: isSet('skipCrds'),
    adoptCrds: adoptCrds ?? [],
  };
}

/** Undefined for what is no list of names. */
function readNames(value: JsonValue | undefined): string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > limits.adoptedCrds) return undefined;
  const names = value.filter((each) => typeof each === 'string' && CRD_NAME.test(each));
  return names.length === value.length ? (names as string[]) : undefined;
}
