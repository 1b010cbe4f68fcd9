import { TransientError } from '@/lib/errors/errors';
import type { DeleteRef } from '@/lib/harness/definitions';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import type { ApplyPlace } from './create-or-merge';
import { harnessTarget, notFoundText } from './targets';

const POLL_MS = 100;

/**
 * Deletes what the entries of a TestStep's `delete` name, and waits until it does not exist.
 * @throws the API's error, or TransientError when something still exists after the timeout
 */
export async function deleteReferences(
  references: readonly DeleteRef[],
  place: ApplyPlace,
  timeoutMs: number,
): Promise<void> {
  const targets: Target[] = [];
  for (const reference of references) targets.push(...(await targetsOf(reference, place)));
  for (const target of targets)
    await place.cluster.api.delete(target, { propagation: 'Background', signal: place.signal });
  await waitUntilGone(targets, place, timeoutMs);
}

async function targetsOf(reference: DeleteRef, { cluster, namespace, signal }: ApplyPlace): Promise<Target[]> {
  const { apiVersion, kind, name, labels } = reference;
  const metadata = {
    ...(name === '' ? {} : { name }),
    ...(reference.namespace === '' ? {} : { namespace: reference.namespace }),
  };
  const target = await harnessTarget(cluster, { apiVersion, kind, metadata }, namespace);
  if (name !== '') return [target];
  const { items } = await cluster.api.list(target, { labelSelector: labelSelector(labels), signal });
  return items.map((object) => targetOfItem(target, object));
}

function targetOfItem(target: Target, object: KubeObject): Target {
  return {
    ...target,
    ...(target.namespace === undefined ? {} : { namespace: namespaceOf(object) }),
    name: nameOf(object),
  };
}

/** `a=b,c=d`; undefined for no labels. */
export function labelSelector(labels: { readonly [name: string]: string }): string | undefined {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? undefined : pairs.join(',');
}

/** @throws TransientError that names the first object that still exists after the timeout */
export async function waitUntilGone(
  targets: readonly Target[],
  { cluster, pace, signal }: Pick<ApplyPlace, 'cluster' | 'pace' | 'signal'>,
  timeoutMs: number,
): Promise<void> {
  const endMs = pace.clock.monotonic() + timeoutMs;
  let left = targets;
  for (;;) {
    const still: Target[] = [];
    for (const target of left) if ((await cluster.api.get(target, { signal })) !== undefined) still.push(target);
    const [first] = still;
    if (first === undefined) return;
    if (pace.clock.monotonic() >= endMs) {
      const name = notFoundText(first).replace(/ not found$/, '');
      throw new TransientError(
        `timed out waiting for resource deletion (result of last check was: "${name} still exists"): it was not deleted within ${timeoutMs / 1_000} s`,
        'DeletionTimeout',
      );
    }
    left = still;
    await pace.pause(POLL_MS, signal);
  }
}
