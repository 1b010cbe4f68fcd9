import { isUtf8 } from 'node:buffer';
import { messageOf } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { ownSecretTexts } from '@/lib/kudo/drift/secret-texts';
import { isSecretParameter, parametersOf, secretParameters } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { Redactor } from './redactor';
import type { DiagnosticsSource } from './source';

/**
 * A redactor that knows every secret value of the session's namespace: the data of all Secrets, and the secret parameters of
 * all Instances. Values that the person may not read cannot be masked; a warning says so.
 */
export async function readRedactor(session: DiagnosticsSource): Promise<Redactor> {
  const { namespace } = session;
  const list = async (what: string, group: { group: string; version: string; resource: string }) => {
    try {
      return (await session.api.list({ ...group, namespace })).items;
    } catch (error) {
      session.warn(
        `${what} in namespace ${namespace} cannot be read, so their values cannot be masked in logs and objects: ${messageOf(error)}`,
      );
      return [];
    }
  };
  const secrets = await list('Secrets', { group: '', version: 'v1', resource: 'secrets' });
  const instances = (await list('Instances', INSTANCES)) as Instance[];
  const versions = (await list('OperatorVersions', OPERATOR_VERSIONS)) as OperatorVersion[];
  const operators = await session.api.list({ ...OPERATORS, namespace }).catch(() => ({ items: [] }));
  const values = [
    ...secrets.flatMap(dataOf),
    ...instances.flatMap((instance) => secretValuesOf(instance, versions)),
    ...versions.flatMap(secretDefaultsOf),
  ];
  const names = [...instances, ...versions, ...operators.items, ...secrets].map(nameOf);
  return new Redactor(values, new Set([namespace, ...names]));
}

/** The values as text; bytes that are not text stay in base64, as in a manifest. */
function dataOf(secret: KubeObject): string[] {
  const { data } = secret;
  if (!isJsonObject(data)) return [];
  return Object.values(data).flatMap((value) => {
    if (typeof value !== 'string') return [];
    const bytes = Buffer.from(value, 'base64');
    return [isUtf8(bytes) ? bytes.toString('utf8') : value];
  });
}

function secretValuesOf(instance: Instance, versions: readonly OperatorVersion[]): string[] {
  const version = versions.find((each) => nameOf(each) === instance.spec?.operatorVersion?.name);
  const named = Object.entries(instance.spec?.parameters ?? {}).filter(([name]) => isSecretParameter(name));
  return [...ownSecretTexts(instance, version), ...named.map(([, value]) => value)];
}

function secretDefaultsOf(version: OperatorVersion): string[] {
  const secret = secretParameters(version);
  return parametersOf(version).flatMap((parameter) => (secret.has(parameter.name) ? [parameter.default ?? ''] : []));
}
