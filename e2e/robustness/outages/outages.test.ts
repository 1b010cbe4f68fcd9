import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { INSTANCES } from '@/lib/kudo/crds';
import type { Instance } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import { installCrds } from '@/server/kube/install-crds';
import { createInstance, createNamespace, patchInstance } from '@/test/engine/https-engine';
import { makeReference, playAgain } from '../crash/crash-run';
import { type CrashWorld, startCrashWorld } from '../crash/crash-world';
import { allSubjects } from '../crash/subjects';
import { PASS, statusAnswer } from '../proxy/fault';
import { faultsByChance } from './faults-by-chance';

const SEED = process.env.BRAVO_SEED ?? '1';
const subjectOf = (name: string) => {
  const found = allSubjects().find((subject) => subject.name === name);
  if (found === undefined) throw new Error(`there is no operator ${name}`);
  return found;
};

describe('a controller process under a Kubernetes API that fails', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await startCrashWorld({ ahead: false });
    await world.controllers.start();
  });
  afterAll(() => world?.stop());

  const statusOf = (namespace: string, plan: string) => {
    const instance = world.engine.sandbox.api.get({ ...INSTANCES, namespace, name: 'app' }) as Instance | undefined;
    return instance?.status?.planStatus?.[plan];
  };
  const until = async (what: string, isSo: () => boolean, withinMs = 60_000) => {
    const endMs = performance.now() + withinMs;
    while (!isSo()) {
      if (performance.now() > endMs)
        throw new Error(`not within ${withinMs / 1000} s: ${what}\n${world.controllers.acting.output().slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const install = async (name: string) => {
    const namespace = world.freshName(name);
    await createNamespace(world.engine.api, namespace);
    const [version = ''] = await subjectOf(name).prepare(world.engine.api, namespace);
    await createInstance(world.engine.api, namespace, 'app', version, {});
    return namespace;
  };

  for (const name of ['several', 'again', 'cleanup', 'upgrade']) {
    it(`R6: with a fifth of all requests failing the life of ${name} ends as without (seed ${SEED})`, async () => {
      const reference = await makeReference(world, subjectOf(name));
      world.disturb = faultsByChance(seededRandom(`${SEED} ${name}`), 20);
      const problems = await playAgain(world, reference);
      world.disturb = () => PASS;
      expect(problems).toEqual([]);
    }, 120_000);
  }

  it('goes on by itself with the same plan when the API was away in its middle', async () => {
    let writes = 0;
    world.proxy.decide = ({ method, path }) => {
      if (method !== 'GET' && path.includes('/namespaces/steps-')) writes += 1;
      return writes > 8 ? { do: 'reset' } : PASS;
    };
    const namespace = await install('steps');
    await until('the API is away', () => writes > 8);
    world.proxy.sever();
    const { uid } = statusOf(namespace, 'deploy') ?? {};
    const asked = world.proxy.count;
    await until('it asked in vain for a while', () => world.proxy.count > asked + 15);
    world.proxy.decide = () => PASS;
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    expect(statusOf(namespace, 'deploy')?.uid).toBe(uid);
  }, 120_000);

  it('A08: a kind that it may not watch holds nothing else up, and is not asked for in a storm', async () => {
    let refused = 0;
    world.proxy.decide = ({ path }) => {
      if (!path.includes('/daemonsets')) return PASS;
      refused += 1;
      return statusAnswer(403, 'Forbidden', 'daemonsets is forbidden');
    };
    world.proxy.sever();
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    expect(refused).toBeLessThan(20);
    world.controllers.kill();
    await world.controllers.acting.exited();
    await world.controllers.start();
    const later = await install('several');
    await until(
      'a controller that never was allowed to works too',
      () => statusOf(later, 'deploy')?.status === 'COMPLETE',
    );
    world.proxy.decide = () => PASS;
  }, 120_000);

  it('C17: our kinds are deleted and come back: the process lives on and works for new Instances', async () => {
    const { api } = world.engine;
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await api.delete({ ...crd, name: 'instances.kudo.dev' });
    await until('it is gone', () => world.engine.sandbox.api.get({ ...crd, name: 'instances.kudo.dev' }) === undefined);
    const asked = world.proxy.count;
    await until('it was asked for in vain', () => world.proxy.count > asked + 3);
    await installCrds(api, systemClock);
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE', 30_000);
    expect(world.controllers.acting.child.exitCode).toBeNull();
  }, 120_000);

  it('A09: an edit is acted upon although every watch is answered 410', async () => {
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    const before = statusOf(namespace, 'deploy')?.uid;
    world.proxy.decide = ({ isWatch }) => (isWatch ? statusAnswer(410, 'Expired', 'too old') : PASS);
    world.proxy.sever();
    await patchInstance(world.engine.api, namespace, 'app', { parameters: { VALUE: 'two' } });
    await until('the edit is acted upon', () => {
      const now = statusOf(namespace, 'deploy');
      return now?.uid !== before && now?.status === 'COMPLETE';
    });
    world.proxy.decide = () => PASS;
  }, 120_000);
});
