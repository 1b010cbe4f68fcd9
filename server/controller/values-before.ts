import { type JsonObject, parseJsonObject } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Instance, ParameterSource } from '@/lib/kudo/types';
import { OPERATOR_UPGRADE_API_VERSION, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import type { Api } from '@/server/kube/api';

/** What an Instance was before an upgrade. */
export interface ValuesBefore {
  readonly operatorVersion: string;
  readonly parameters: { readonly [name: string]: string };
  readonly parametersFrom: readonly ParameterSource[];
}

const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

/**
 * The Secret has a key for each Instance, JSON of {@link ValuesBefore}: values may be secret, and the status is read by many. The uid is in its
 * name, because the Secret of an upgrade that was deleted may outlive it for a moment.
 */
export function valuesSecretName({ metadata: { name = '', uid = '' } }: OperatorUpgrade): string {
  return `${name.slice(0, 200)}-${uid.slice(0, 8)}-values-before`;
}

/**
 * Keeps what an Instance is, unless that was kept before: the first record is that of the state before the upgrade. The Secret goes with the
 * upgrade.
 *
 * @throws ConflictError when another one writes it at the same moment
 */
export async function keepValuesBefore(api: Api, upgrade: OperatorUpgrade, instance: Instance): Promise<void> {
  const name = valuesSecretName(upgrade);
  const target = { ...SECRETS, namespace: namespaceOf(upgrade), name };
  const found = await api.get(target);
  const data = (found?.data ?? {}) as JsonObject;
  if (Object.hasOwn(data, nameOf(instance))) return;
  const { operatorVersion, parameters = {}, parametersFrom = [] } = instance.spec ?? {};
  const before: ValuesBefore = { operatorVersion: operatorVersion?.name ?? '', parameters, parametersFrom };
  const added = { [nameOf(instance)]: Buffer.from(JSON.stringify(before)).toString('base64') };
  if (found !== undefined) {
    const { resourceVersion = '' } = found.metadata;
    await api.patch(target, 'merge', { metadata: { resourceVersion }, data: added });
    return;
  }
  const owner = {
    apiVersion: OPERATOR_UPGRADE_API_VERSION,
    kind: 'OperatorUpgrade',
    name: nameOf(upgrade),
    uid: upgrade.metadata.uid ?? '',
  };
  const metadata = { name, namespace: namespaceOf(upgrade), ownerReferences: [owner] };
  await api.create(
    { ...SECRETS, namespace: namespaceOf(upgrade) },
    { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: added },
  );
}

/** What an Instance was before the upgrade; undefined when nobody has kept it. */
export async function valuesBefore(
  api: Api,
  upgrade: OperatorUpgrade,
  instance: string,
): Promise<ValuesBefore | undefined> {
  const found = await api.get({ ...SECRETS, namespace: namespaceOf(upgrade), name: valuesSecretName(upgrade) });
  const text = ((found?.data ?? {}) as { [key: string]: unknown })[instance];
  const read = typeof text === 'string' ? parseJsonObject(Buffer.from(text, 'base64').toString('utf8')) : undefined;
  // Nobody but the controller writes it.
  return read as unknown as ValuesBefore | undefined;
}
