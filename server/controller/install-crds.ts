import type { Clock } from '@/lib/clock/clock';
import { sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { nameOf } from '@/lib/kube/object';
import { kudoCrds } from '@/lib/kudo/crds';
import type { Api, Target } from '@/server/kube/api';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' } as const;
const ESTABLISHED_MS = 30_000;

/**
 * Installs KUDO's three CRDs, or brings them up to date, by server-side apply, and waits until they are served. Returns their
 * names. A CRD that others have changed keeps what they added.
 */
export async function installCrds(api: Api, clock: Clock): Promise<string[]> {
  const names: string[] = [];
  for (const crd of kudoCrds()) {
    const target: Target = { ...CRDS, name: nameOf(crd) };
    await api.patch(target, 'apply', crd as unknown as JsonObject, { fieldManager: 'bravo', force: true });
    names.push(nameOf(crd));
  }
  for (const name of names) await waitUntilServed(api, clock, name);
  return names;
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
