import { namespacedName, namespaceOf } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { type AppliedObject, adoptedInventory } from '@/lib/kudo/inventory/adopted-inventory';
import type { Inventory } from '@/lib/kudo/inventory/inventory';
import { renderedNames } from '@/lib/kudo/inventory/rendered-names';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { DriftWatches } from '@/server/drift/drift-watches';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import { readSources } from '@/server/parameters/read-sources';
import { unreadSource, withReadValues } from '@/server/parameters/with-read-values';

/**
 * The inventory of a self-healing Instance that was taken over from KUDO, from the watched copies of the kinds that its
 * templates render; no list request is sent. Undefined while a copy is incomplete, and when the last plan did not complete.
 */
export async function adoptInventory(
  instance: Instance,
  operatorVersion: OperatorVersion,
  { watches, kinds, api }: { watches: DriftWatches; kinds: KindIndex; api: Api },
): Promise<Inventory | undefined> {
  if (latestPlan(instance)?.status.status !== 'COMPLETE') return undefined;
  const scopeOf = (apiVersion: string, kind: string) =>
    kinds.known(apiVersion, kind)?.namespaced === false ? 'cluster' : 'namespaced';
  const reads = await readSources(api, [instance]);
  if (unreadSource(instance, reads) !== undefined) return undefined;
  const names = renderedNames(operatorVersion, withReadValues(instance, reads), scopeOf, kinds.serves);
  watches.needs(namespacedName(instance), names.kinds);
  const applied: AppliedObject[] = [];
  for (const kind of names.kinds) {
    const cache = await watches.of(kind);
    if (cache === undefined) continue;
    if (!watches.isReady(cache, namespacedName(instance))) return undefined;
    for (const object of cache.list(namespaceOf(instance))) {
      const digest = watches.verdictOf(object)?.digest ?? '';
      if (digest !== '' && isOwnedBy(object, instance.metadata.uid ?? '')) applied.push({ object, digest });
    }
  }
  return adoptedInventory(applied, names, operatorVersion);
}
