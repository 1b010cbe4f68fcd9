import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, startWorld } from '@/e2e/compat/engine/engine-fixture';
import { Lab } from '@/e2e/compat/engine/lab';
import { projectRoot } from '@/e2e/support/process';
import { sharedPath } from '@/e2e/support/shared';
import { getAt, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import { applied, makeKudos } from './as-kudo-left-it';

const bundledDir = join(projectRoot, 'operators');
const bundled = ['hello/1.0.0', 'postgres/1.0.0', 'etcd/1.0.0'].map((place) => join(bundledDir, place));
const published = ['first-operator', 'cowsay', 'redis', 'mysql', 'zookeeper'].flatMap(
  (name) => sharedPath(`operators/${name}/operator`) ?? [],
);

/** In the middle of a deploy, at each status that was stored, KUDO makes place for Bravo. */
describe('taking over in the middle of a plan', () => {
  let world: EngineWorld;
  let lab: Lab;

  beforeEach(async () => {
    world = await startWorld();
    lab = await Lab.open(world, 'taken');
  });
  afterEach(() => world?.stop());

  const begin = async (path: string) => {
    // What the pods of pipes make.
    for (const file of ['/page/index.html', '/tmp/index.html']) world.files.contents.set(file, Buffer.from('hello'));
    await world.startController();
    const loaded = await loadPackage(path);
    const context = { catalogue: new PackageCatalogue({ bundledDir }), scope: loaded.scope };
    const options = { loaded, context, namespace: 'taken', instance: 'app', parameters: {} };
    const prepared = await prepareInstall(options);
    await world.run(install(world.people, { prepared }));
  };

  /** Lets the plan go on for so many stored statuses, or to its end. */
  const goOn = async (plan: string, statuses: number): Promise<boolean> => {
    let seen = 0;
    const stop = world.sandbox.api.watch({ ...INSTANCES, namespace: 'taken' }, ({ object }) => {
      if ((object as Instance).status?.planStatus?.[plan] !== undefined) seen++;
    });
    const isOver = () => isTerminal(lab.instance('app').status?.planStatus?.[plan]?.status);
    await world.until('the plan is so far', () => seen >= statuses || isOver());
    stop();
    return isOver();
  };

  /** Objects that were there before, say the same now, and were written all the same; by name. */
  const rewritten = (before: ReadonlyMap<string, KubeObject>): string[] => {
    const writes = world.calls.filter(({ method }) => method === 'PATCH' || method === 'PUT').map(({ path }) => path);
    const now = applied(world, 'taken');
    return [...before].flatMap(([key, was]) => {
      const is = now.get(key);
      const isSame = jsonEqual(is?.spec, was.spec) && jsonEqual(is?.data, was.data);
      return isSame && writes.some((path) => path.endsWith(`/${was.kind.toLowerCase()}s/${was.metadata.name}`))
        ? [key]
        : [];
    });
  };

  it.each([...bundled, ...published])('%s goes on, and nothing is made anew', async (path) => {
    for (let cut = 1; cut < 4; cut++) {
      await begin(path);
      if (await goOn('deploy', cut)) break;
      await world.stopController();
      await makeKudos(world, 'taken');
      const { uid } = lab.instance('app').spec?.planExecution ?? {};
      const before = applied(world, 'taken');
      world.calls.length = 0;
      await world.startController();
      const after = await lab.ends('app', 'deploy');
      expect(after.status?.planStatus?.deploy?.uid).toBe(uid);
      expect(rewritten(before)).toEqual([]);
      for (const [key, object] of applied(world, 'taken')) {
        const was = before.get(key);
        if (was === undefined) continue;
        expect(object.metadata.uid, key).toBe(was.metadata.uid);
        expect(getAt(object.spec, 'template'), key).toEqual(getAt(was.spec, 'template'));
      }
      await world.stop();
      world = await startWorld();
      lab = await Lab.open(world, 'taken');
    }
  });
});
