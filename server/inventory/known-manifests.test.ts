import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import { manifestDigest } from '@/lib/kudo/inventory/manifest-digest';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { seededRandom } from '@/lib/random/random';
import type { RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { KindIndex } from '@/server/kube/kinds';
import { silentLog } from '@/server/log/log';
import { startSandbox } from '@/server/sandbox/sandbox';
import { renderInThread } from '@/server/tasks/render-texts';
import { keepObjects } from './kept-objects';
import { KnownManifests } from './known-manifests';

const INSTANCE = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'sim', namespace: 'default', uid: 'i' },
};

function configMap(annotations: { [name: string]: string }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'sim-own', annotations }, data: { a: 'x' } };
}

const marks = (uid: string) => ({
  'kudo.dev/plan': 'deploy',
  'kudo.dev/phase': 'p0',
  'kudo.dev/step': 's0',
  'kudo.dev/last-plan-execution-uid': uid,
});

// Equal content has one digest, whichever execution made it; one that failed before that step may have rendered it too.
it('gives a kept manifest the marks of the execution that left the object', async () => {
  const clock = new VirtualClock();
  const random = seededRandom('known manifests');
  const sandbox = await startSandbox({ port: 'none', mode: 'no-controllers', podDelayMs: 0, clock, random });
  const authorization = `Bearer ${sandbox.adminToken}`;
  const transport = {
    request: (request: RawRequest) => sandbox.inject({ ...request, headers: { ...request.headers, authorization } }),
    openSocket: () => Promise.reject(new Error('no sockets')),
    close: () => Promise.resolve(),
  };
  const api = createApi(plainCluster({ server: sandbox.url, token: sandbox.adminToken }), { clock, random, transport });
  const kept = configMap({ ...marks('failed'), own: 'yes' });
  const sources = {
    api,
    kinds: new KindIndex(api),
    clock,
    log: silentLog,
    renderTexts: renderInThread,
    fingerprints: TEST_FINGERPRINTS,
  };
  const digest = manifestDigest(kept, TEST_FINGERPRINTS);
  await keepObjects(api, INSTANCE, new Map([[digest, kept]]), silentLog);
  const place = { apiVersion: 'v1', kind: 'ConfigMap', name: 'sim-own', phase: 'p1', step: 's2' };
  const entry = { ...place, task: 'own', digest };
  const run = { plan: 'update', uid: 'complete', startedAt: '2026-01-01T00:00:00Z', objects: [entry] };
  const found = await new KnownManifests(sources, INSTANCE, undefined).find(entry, run, undefined);
  expect(found?.metadata.annotations).toEqual({
    'kudo.dev/plan': 'update',
    'kudo.dev/phase': 'p1',
    'kudo.dev/step': 's2',
    'kudo.dev/last-plan-execution-uid': 'complete',
    own: 'yes',
  });
  await sandbox.stop();
});
