import { expect, it } from 'vitest';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { seededRandom } from '@/lib/random/random';
import { KindIndex } from '@/server/kube/kinds';
import { type Answer, scriptedApi, statusBody } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { DriftWatches } from './drift-watches';

const resources = [
  { name: 'horizontalpodautoscalers', singularName: '', namespaced: true, kind: 'HorizontalPodAutoscaler', verbs: [] },
];
const autoscaler = {
  metadata: { name: 'h', namespace: 'shop', resourceVersion: '1' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
};

/** Kubernetes before 1.23 serves autoscalers as v1 only. */
function answer(path: string): Answer {
  if (path === '/api') return { body: { kind: 'APIVersions', versions: [] } };
  if (path === '/apis') {
    const versions = [{ groupVersion: 'autoscaling/v1', version: 'v1' }];
    return { body: { kind: 'APIGroupList', groups: [{ name: 'autoscaling', versions }] } };
  }
  if (path === '/apis/autoscaling/v1') return { body: { kind: 'APIResourceList', resources } };
  if (!path.startsWith('/apis/autoscaling/v1/')) return { status: 404, body: statusBody(404, 'NotFound') };
  return path.includes('watch=')
    ? { open: true }
    : { body: { metadata: { resourceVersion: '1' }, items: [autoscaler] } };
}

it('leaves the number of pods to an autoscaler of a Kubernetes before 1.23 too', async () => {
  const { api, clock } = scriptedApi(({ path }) => answer(path));
  const watches = new DriftWatches({
    api,
    kinds: new KindIndex(api),
    cache: { clock, random: seededRandom('watches'), log: silentLog },
    fingerprints: TEST_FINGERPRINTS,
    requeue: () => true,
  });
  await watches.scalers();
  for (let step = 0; step < 50; step++) await clock.advance(10);
  expect(watches.isScaled('shop', { kind: 'Deployment', name: 'web' })).toBe(true);
  expect(watches.isScaled('shop', { kind: 'Deployment', name: 'other' })).toBe(false);
  await watches.stop();
});
