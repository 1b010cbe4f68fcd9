import { stringAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import type { UsageLedger } from '@/lib/kudo/usage/ledger';
import { formatLedger, LEDGER_KEY, LEDGER_LABEL, LEDGER_NAME, parseLedger } from '@/lib/kudo/usage/ledger-text';
import type { Api } from '@/server/kube/api';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

/** The ledger of a namespace, with the object that guards the next write; undefined when there is none. */
export interface StoredLedger {
  readonly ledger: UsageLedger;
  readonly object: KubeObject | undefined;
}

export async function readLedger(api: Api, namespace: string, signal?: AbortSignal): Promise<StoredLedger> {
  const target = { ...CONFIG_MAPS, namespace, name: LEDGER_NAME };
  const object = await api.get(target, signal === undefined ? {} : { signal });
  return { ledger: ledgerOf(object), object };
}

/** @throws ConflictError when somebody else wrote it meanwhile */
export async function writeLedger(api: Api, namespace: string, { ledger, object }: StoredLedger): Promise<void> {
  const data = { [LEDGER_KEY]: formatLedger(ledger) };
  if (object === undefined) {
    const metadata = { name: LEDGER_NAME, namespace, labels: { [LEDGER_LABEL]: 'ledger' } };
    await api.create({ ...CONFIG_MAPS, namespace }, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    return;
  }
  const labels = { ...object.metadata.labels, [LEDGER_LABEL]: 'ledger' };
  await api.update(
    { ...CONFIG_MAPS, namespace, name: LEDGER_NAME },
    { ...object, metadata: { ...object.metadata, labels }, data },
  );
}

/** The ledgers of a namespace, or of all, by namespace. @throws the API's error */
export async function listLedgers(api: Api, namespace?: string): Promise<ReadonlyMap<string, UsageLedger>> {
  const target = namespace === undefined ? CONFIG_MAPS : { ...CONFIG_MAPS, namespace };
  const { items } = await api.list(target, { labelSelector: `${LEDGER_LABEL}=ledger` });
  const ledgers = items.filter(({ metadata }) => metadata.name === LEDGER_NAME);
  return new Map(ledgers.map((object) => [namespaceOf(object), ledgerOf(object)]));
}

function ledgerOf(object: KubeObject | undefined): UsageLedger {
  return parseLedger(stringAt(object, 'data', LEDGER_KEY));
}
