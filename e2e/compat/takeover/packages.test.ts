import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getAt, jsonEqual } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { sharedPath } from '@/test/golden/shared-path';
import { projectRoot } from '@/test/programs/process';
import { appliedObjects, makeKudos } from './as-kudo-left-it';

const bundledDir = join(projectRoot, 'operators');
const bundled = ['hello', 'postgres', 'etcd'].map((name) => [name, join(bundledDir, name, '1.0.0')] as const);
/** Packages of the KUDO project, which are not in this repository. */
const hasPublished = sharedPath('operators') !== undefined;
const published = ['first-operator', 'cowsay', 'redis', 'mysql', 'zookeeper', 'kafka'].map(
  (name) => [name, sharedPath(`operators/${name}/operator`) ?? ''] as const,
);

/** Files that the pods of pipes write. */
const FILES = ['/page/index.html', '/tmp/index.html', '/tmp/tls.key', '/tmp/tls.crt', '/tmp/tls-root.crt'];

/** Bravo takes over from KUDO during a deploy plan, at each stored status, and at rest. */
describe('taking over packages', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'taken');
  });
  afterEach(() => engine?.stop());

  const begin = async (path: string) => {
    for (const file of FILES) engine.files.contents.set(file, Buffer.from('hello'));
    await engine.startController();
    const loaded = await loadPackage(path);
    const context = { catalogue: new PackageCatalogue({ bundledDir }), scope: loaded.scope };
    const options = { loaded, context, namespace: 'taken', instance: 'app', parameters: {} };
    const prepared = await prepareInstall(options);
    await engine.run(install(engine.people, { prepared }));
  };

  /** Lets the plan run for this many stored statuses, or to its end. */
  const goOn = async (plan: string, statuses: number): Promise<boolean> => {
    let seen = 0;
    const stop = engine.sandbox.api.watch({ ...INSTANCES, namespace: 'taken' }, ({ object }) => {
      if ((object as Instance).status?.planStatus?.[plan] !== undefined) seen++;
    });
    const isOver = () => isTerminal(lab.instance('app').status?.planStatus?.[plan]?.status);
    await engine.until('the statuses are stored', () => seen >= statuses || isOver());
    stop();
    return isOver();
  };

  const writes = () =>
    engine.calls
      .filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'))
      .map(({ method, path }) => `${method} ${path}`);

  /** Names of the objects that existed before, did not change, and were written nevertheless. */
  const rewritten = (before: ReadonlyMap<string, KubeObject>): string[] => {
    const patched = engine.calls.filter(({ method }) => method === 'PATCH' || method === 'PUT').map(({ path }) => path);
    const now = appliedObjects(engine, 'taken');
    return [...before].flatMap(([key, was]) => {
      const is = now.get(key);
      const isSame = jsonEqual(is?.spec, was.spec) && jsonEqual(is?.data, was.data);
      return isSame && patched.some((path) => path.endsWith(`/${was.kind.toLowerCase()}s/${was.metadata.name}`))
        ? [key]
        : [];
    });
  };

  /** Names of the objects that were created again, or whose pods would be. */
  const replaced = (before: ReadonlyMap<string, KubeObject>): string[] => {
    const now = appliedObjects(engine, 'taken');
    return [...before].flatMap(([key, was]) => {
      const is = now.get(key);
      if (is === undefined) return [];
      const isSame = is.metadata.uid === was.metadata.uid;
      return isSame && jsonEqual(getAt(is.spec, 'template'), getAt(was.spec, 'template')) ? [] : [key];
    });
  };

  const takeOverInTheMiddle = async (path: string) => {
    for (let cut = 1; cut < 4; cut++) {
      await begin(path);
      if (await goOn('deploy', cut)) break;
      await engine.stopController();
      await makeKudos(engine, 'taken');
      const { uid } = lab.instance('app').spec?.planExecution ?? {};
      const before = appliedObjects(engine, 'taken');
      engine.calls.length = 0;
      await engine.startController();
      const after = await lab.ends('app', 'deploy');
      expect(after.status?.planStatus?.deploy?.uid).toBe(uid);
      expect(rewritten(before)).toEqual([]);
      expect(replaced(before)).toEqual([]);
      await engine.stop();
      engine = await startVirtualEngine();
      lab = await Lab.open(engine, 'taken');
    }
  };

  it.each(bundled)('%s continues, and no object is created again', (_name, path) => takeOverInTheMiddle(path));

  // Kafka would take ten seconds here; the next test has it.
  it.skipIf(!hasPublished).each(published.filter(([name]) => name !== 'kafka'))(
    '%s continues, and no object is created again (needs ../shared)',
    (_name, path) => takeOverInTheMiddle(path),
  );

  const atRest =
    '%s starts nothing after its plans ended under KUDO, and runs each plan that a user starts (needs ../shared)';
  it.skipIf(!hasPublished).each(published)(atRest, async (_name, path) => {
    await begin(path);
    await lab.ends('app', 'deploy');
    await engine.stopController();
    await makeKudos(engine, 'taken');
    const before = appliedObjects(engine, 'taken');
    engine.calls.length = 0;
    await engine.startController();
    await engine.pass(120_000);
    // Only the record of the spec that the controller has acted upon.
    expect(writes()).toEqual(['PATCH /apis/kudo.dev/v1beta1/namespaces/taken/instances/app']);
    expect(lab.instance('app').spec?.planExecution ?? {}).toEqual({});
    for (const plan of Object.keys(lab.instance('app').status?.planStatus ?? {})) {
      // ZooKeeper's plan of that name is a Dummy that is never done.
      if (plan === 'cleanup' || plan === 'not-allowed') continue;
      engine.calls.length = 0;
      await lab.edit('app', { planExecution: { planName: plan, uid: `hand-${plan}` } }, plan);
      expect([plan, rewritten(before).filter((key) => !key.includes(`.${plan}.`)), replaced(before)]).toEqual([
        plan,
        [],
        [],
      ]);
    }
  });
});
