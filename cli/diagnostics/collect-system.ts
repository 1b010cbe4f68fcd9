import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { SYSTEM_NAMESPACE } from '@/lib/kudo/installation/manifests';
import { runningController } from '../init/controller-lease';
import { type Collection, collectList, collectPods } from './collect-objects';

const LABEL = 'app=kudo-manager';

/**
 * Writes the objects of the controller: those with KUDO's label in the namespace that has this label. A controller outside of the
 * cluster has none; then its lease is enough.
 *
 * @throws TerminalError when neither exists
 */
export async function collectSystem(collection: Collection): Promise<void> {
  const { session, bundle } = collection;
  const { items } = await session.api.list(
    { group: '', version: 'v1', resource: 'namespaces' },
    { labelSelector: LABEL },
  );
  const lease = await runningController(session, SYSTEM_NAMESPACE);
  if (lease !== undefined) await bundle.writeYaml('kudo/lease.yaml', { holderIdentity: lease.holder });
  const [found] = items;
  if (found === undefined) {
    if (lease !== undefined) return;
    throw new TerminalError('kudo system namespace not found', 'NotFound');
  }
  const namespace = nameOf(found);
  const target = (group: string, resource: string) => ({ group, version: 'v1', resource, namespace });
  await collectPods(collection, 'kudo', { target: target('', 'pods'), labelSelector: LABEL });
  for (const [kind, group, resource] of [
    ['service', '', 'services'],
    ['statefulset', 'apps', 'statefulsets'],
    ['serviceaccount', '', 'serviceaccounts'],
  ] as const) {
    await collectList(collection, 'kudo', { kind, target: target(group, resource), labelSelector: LABEL });
  }
}
