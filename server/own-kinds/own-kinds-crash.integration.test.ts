import { describe, expect, it } from 'vitest';
import { numberAt, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Api } from '@/server/kube/api';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { installVersions } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { startVirtualEngine } from '@/test/engine/virtual-engine';
import { pondWithKinds } from '@/test/operators/own-kinds-package';

const PONDS = { group: 'pond.example.com', version: 'v1', resource: 'ponds', namespace: 'lab' } as const;
const FEEDS = { ...PONDS, resource: 'feeds' } as const;

async function prepare(people: Api): Promise<void> {
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
  await people.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } });
  const loaded = pondWithKinds();
  const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
  await installVersions(people, await prepareInstall({ loaded, context, namespace: 'lab' }));
}

const resource = (kind: string, name: string, spec: object) => ({
  apiVersion: 'pond.example.com/v1',
  kind,
  metadata: { name, namespace: 'lab' },
  spec: { ...spec },
});

/** Creates a Pond and a Feed, kills the controller after `writes` of its writes, and starts another one. */
async function killedAfter(writes: number) {
  const engine = await startVirtualEngine();
  const { people } = engine;
  await engine.run(prepare(people));
  await engine.startController();
  const from = engine.calls.length;
  const written = () =>
    engine.calls.slice(from).filter(({ method, path }) => method !== 'GET' && !path.includes('/leases/')).length;
  engine.refuse(({ method }) => (method !== 'GET' && written() >= writes ? 500 : undefined));
  await engine.run(people.create(PONDS, resource('Pond', 'a', { size: 1 })));
  await engine.run(people.create(FEEDS, resource('Feed', 'lunch', { pond: 'a', food: 'worms' })));
  await engine.pass(5_000);
  await engine.stopController();
  engine.refuse(undefined);
  await engine.startController();
  let done: { feed?: unknown; pond?: unknown } = {};
  for (let minute = 0; minute < 10; minute++) {
    await engine.pass(60_000);
    const pond = await engine.run(people.get({ ...PONDS, name: 'a' }));
    const feed = await engine.run(people.get({ ...FEEDS, name: 'lunch' }));
    done = { feed: stringAt(feed, 'status', 'phase'), pond: numberAt(pond, 'status', 'fish') };
    if (done.feed === 'Completed' && done.pond === 1) break;
  }
  const runs = (await engine.run(people.list({ ...PLAN_RUNS, namespace: 'lab' }))).items as PlanRun[];
  const instances = (await engine.run(people.list({ ...INSTANCES, namespace: 'lab' }))).items;
  await engine.stop();
  return { ...done, plans: runs.map(({ spec }) => spec?.plan).sort(), instances: instances.length };
}

describe('a controller that is killed while it acts on own kinds', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22])(
    'after %i writes: the next one brings one Instance and one run',
    async (writes) => {
      expect(await killedAfter(writes)).toEqual({
        feed: 'Completed',
        pond: 1,
        plans: ['deploy', 'feed'],
        instances: 1,
      });
    },
  );
});
