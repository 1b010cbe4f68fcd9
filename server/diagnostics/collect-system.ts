import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { SYSTEM_NAMESPACE } from '@/lib/kudo/installation/names';
import { runningController } from '@/server/kube/running-controller';
import { collectList, collectPods, type DiagnosticsContext } from './collect-objects';

const LABEL = 'app=kudo-manager';

/**
 * Writes the objects of the controller: those with KUDO's label in the namespace that has this label. A controller outside of the
 * cluster has none; then its lease is enough.
 *
 * @throws TerminalError when neither exists
 */
export async function collectSystem(context: DiagnosticsContext): Promise<void> {
  const { session, bundle } = context;
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
  await collectPods(context, 'kudo', { target: target('', 'pods'), labelSelector: LABEL });
  for (const [kind, group, resource] of [
    ['service', '', 'services'],
    ['statefulset', 'apps', 'statefulsets'],
    ['serviceaccount', '', 'serviceaccounts'],
  ] as const) {
    await collectList(context, 'kudo', { kind, target: target(group, resource), labelSelector: LABEL });
  }
}
