import type { Clock } from '@/lib/clock/clock';
import { sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { objectAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { threeWayMergePatch } from '@/lib/kube/patch/merge-patch';
import { kudoCrds } from '@/lib/kudo/crds';
import type { Api, Target } from '@/server/kube/api';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' } as const;
const ESTABLISHED_MS = 30_000;

/**
 * Installs KUDO's three CRDs, or brings those that are there up to date (KUDO's own are extended in place), and waits until
 * they are served. Returns their names.
 */
export async function installCrds(api: Api, clock: Clock): Promise<string[]> {
  const names: string[] = [];
  for (const crd of kudoCrds()) {
    const target: Target = { ...CRDS, name: nameOf(crd) };
    const live = await api.get(target);
    if (live === undefined) await api.create(target, crd);
    else if (isOlder(live, crd)) await api.patch(target, 'merge', { spec: objectAt(crd, 'spec') });
    names.push(nameOf(crd));
  }
  for (const name of names) await waitUntilServed(api, clock, name);
  return names;
}

/** True when the live CRD lacks something of ours; what the server and others added does not count. */
function isOlder(live: KubeObject, crd: KubeObject): boolean {
  return Object.keys(threeWayMergePatch({}, objectAt(crd, 'spec'), objectAt(live, 'spec'))).length > 0;
}

async function waitUntilServed(api: Api, clock: Clock, name: string): Promise<void> {
  const startedAtMs = clock.monotonic();
  for (;;) {
    if (hasCondition(await api.get({ ...CRDS, name }), 'Established')) return;
    if (clock.monotonic() - startedAtMs > ESTABLISHED_MS) {
      throw new TransientError(`The CRD ${name} was installed but is not served after 30 s.`, 'NotEstablished');
    }
    await sleep(clock, 100);
  }
}
