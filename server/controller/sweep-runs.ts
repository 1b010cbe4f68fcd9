import { ConflictError } from '@/lib/errors/errors';
import { objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { unannouncedRecord } from '@/lib/kudo/plan/unannounced-end';
import type { Instance } from '@/lib/kudo/types';
import { RUN_SECRET_SUFFIX, RUN_SECRET_TYPE } from '@/server/runs/run-secret';
import type { ReconcilerDeps } from './reconciler-deps';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

/**
 * Removes what runs remembered that are over, in one list: a controller that was killed between the end of a run and its
 * tidying up leaves a Secret behind that nobody else would ever look at. One that a run of now has written meanwhile stays:
 * each is deleted as it was listed, or not at all. Resolves with how many were left: their run seems to be under way, or they
 * were written meanwhile.
 */
export async function sweepRuns(deps: ReconcilerDeps): Promise<number> {
  const { items } = await deps.api.list(SECRETS, { fieldSelector: `type=${RUN_SECRET_TYPE}` });
  let left = 0;
  for (const secret of items) {
    const [name, namespace] = [nameOf(secret), namespaceOf(secret)];
    const key = `${namespace}/${name.slice(0, -RUN_SECRET_SUFFIX.length)}`;
    const instance = deps.owns(key) ? deps.store.get(key) : undefined;
    if (secret.type !== RUN_SECRET_TYPE || !name.endsWith(RUN_SECRET_SUFFIX) || instance === undefined) continue;
    if (isUnderWay(instance) || isUnderWay(await deps.api.get({ ...INSTANCES, namespace, name: nameOf(instance) }))) {
      left += 1;
      continue;
    }
    const { uid, resourceVersion } = secret.metadata;
    await deps.api.delete({ ...SECRETS, namespace, name }, { uid, resourceVersion }).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
      left += 1;
    });
  }
  return left;
}

/**
 * Asked of the Instance as it is stored, too: a new leader may know it from before its plan. A run whose end is not announced yet needs its
 * key although a person has emptied `planExecution`: what it applied is rendered again to be kept, and has to be the same bytes.
 */
function isUnderWay(instance: KubeObject | undefined): boolean {
  if (instance === undefined) return false;
  const isScheduled = (stringAt(objectAt(instance.spec, 'planExecution'), 'planName') ?? '') !== '';
  return isScheduled || unannouncedRecord(instance as Instance) !== undefined;
}
