import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { arrayAt } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { installedCrds } from '@/lib/kudo/installation/manifests';
import { INSTANCES_CRD } from '@/lib/kudo/installation/names';
import { type Engine, startEngine } from '@/test/engine/https-engine';
import type { Api } from './api';
import { CRDS, installCrds } from './install-crds';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ controller: false });
});
afterAll(() => engine.stop());

/** The names of the CRDs that installing writes. */
async function written(): Promise<string[]> {
  const names: string[] = [];
  const api: Api = Object.create(engine.api, {
    patch: {
      value: (...call: Parameters<Api['patch']>) => {
        names.push(call[0].name ?? '');
        return engine.api.patch(...call);
      },
    },
  });
  await installCrds(api, systemClock);
  return names;
}

it('a CRD that has our schema already is not written again', async () => {
  const names = await written();
  expect(names).not.toContain(INSTANCES_CRD);
  expect(names.length).toBeLessThan(installedCrds().length / 2);
});

it('a CRD of another version gets our schema, and keeps the annotations of others', async () => {
  const target = { ...CRDS, name: INSTANCES_CRD };
  const spec = {
    versions: [{ name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  };
  await engine.api.patch(target, 'merge', { metadata: { annotations: { 'example.com/owner': 'ann' } }, spec });
  expect(await written()).toContain(INSTANCES_CRD);
  const ours = installedCrds().find((crd) => nameOf(crd) === INSTANCES_CRD) ?? {};
  expect(await engine.api.get(target)).toMatchObject({
    metadata: { annotations: { 'example.com/owner': 'ann' } },
    spec: { versions: arrayAt(ours, 'spec', 'versions') },
  });
});
