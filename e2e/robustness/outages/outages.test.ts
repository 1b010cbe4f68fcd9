import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import { installCrds } from '@/server/kube/install-crds';
import { createInstance, createNamespace, patchInstance } from '@/test/engine/https-engine';
import { makeReference, playAgain } from '../crash/crash-run';
import { type CrashSetup, startCrashSetup } from '../crash/crash-setup';
import { allSubjects } from '../crash/subjects';
import { PASS, proxyStatus } from '../proxy/fault';
import { faultsByChance } from './faults-by-chance';

const SEED = process.env.BRAVO_SEED ?? '1';
const subjectOf = (name: string) => {
  const found = allSubjects().find((subject) => subject.name === name);
  if (found === undefined) throw new Error(`there is no operator ${name}`);
  return found;
};

describe('a controller process under a Kubernetes API that fails', () => {
  let setup: CrashSetup;
  beforeAll(async () => {
    setup = await startCrashSetup({ ahead: false });
    await setup.controllers.start();
  });
  afterAll(() => setup?.stop());

  const statusOf = (namespace: string, plan: string) => {
    const instance = setup.engine.sandbox.api.get({ ...INSTANCES, namespace, name: 'app' }) as Instance | undefined;
    return instance?.status?.planStatus?.[plan];
  };
  const until = async (what: string, isSo: () => boolean, withinMs = 60_000) => {
    const endMs = performance.now() + withinMs;
    while (!isSo()) {
      if (performance.now() > endMs)
        throw new Error(`not within ${withinMs / 1000} s: ${what}\n${setup.controllers.acting.output().slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const install = async (name: string) => {
    const namespace = setup.freshName(name);
    await createNamespace(setup.engine.api, namespace);
    const [version = ''] = await subjectOf(name).prepare(setup.engine.api, namespace);
    await createInstance(setup.engine.api, namespace, 'app', version);
    return namespace;
  };

  for (const name of ['several', 'again', 'cleanup', 'upgrade']) {
    it(`R6: with 20 % of the requests failing ${name} has the same result as without faults (seed ${SEED})`, async () => {
      const reference = await makeReference(setup, subjectOf(name));
      setup.disturb = faultsByChance(seededRandom(`${SEED} ${name}`), 20);
      const problems = await playAgain(setup, reference);
      setup.disturb = () => PASS;
      expect(problems).toEqual([]);
    }, 120_000);
  }

  it('continues the same plan after an outage of the API', async () => {
    let writes = 0;
    setup.proxy.decide = ({ method, path }) => {
      if (method !== 'GET' && path.includes('/namespaces/steps-')) writes += 1;
      return writes > 8 ? { do: 'reset' } : PASS;
    };
    const namespace = await install('steps');
    await until('the API is down', () => writes > 8);
    setup.proxy.sever();
    const { uid } = statusOf(namespace, 'deploy') ?? {};
    const asked = setup.proxy.count;
    await until('it sent requests in vain for a while', () => setup.proxy.count > asked + 15);
    setup.proxy.decide = () => PASS;
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    expect(statusOf(namespace, 'deploy')?.uid).toBe(uid);
  }, 120_000);

  it('A08: a kind that it may not watch blocks nothing else, and is requested with backoff', async () => {
    let refused = 0;
    setup.proxy.decide = ({ path }) => {
      if (!path.includes('/daemonsets')) return PASS;
      refused += 1;
      return proxyStatus(403, 'Forbidden', 'daemonsets is forbidden');
    };
    setup.proxy.sever();
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    expect(refused).toBeLessThan(20);
    setup.controllers.kill();
    await setup.controllers.acting.exited();
    await setup.controllers.start();
    const later = await install('several');
    await until(
      'a controller that was never allowed to watch it works too',
      () => statusOf(later, 'deploy')?.status === 'COMPLETE',
    );
    setup.proxy.decide = () => PASS;
  }, 120_000);

  it('C17: the CRDs are deleted and installed again: the process continues and handles new Instances', async () => {
    const { api } = setup.engine;
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await api.delete({ ...crd, name: 'instances.kudo.dev' });
    await until(
      'the CRD is deleted',
      () => setup.engine.sandbox.api.get({ ...crd, name: 'instances.kudo.dev' }) === undefined,
    );
    const asked = setup.proxy.count;
    await until('the controller has listed the kind without success', () => setup.proxy.count > asked + 3);
    await installCrds(api, systemClock);
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE', 30_000);
    expect(setup.controllers.acting.child.exitCode).toBeNull();
  }, 120_000);

  it('A09: an edit is acted upon although every watch is answered 410', async () => {
    const namespace = await install('several');
    await until('the plan is complete', () => statusOf(namespace, 'deploy')?.status === 'COMPLETE');
    const before = statusOf(namespace, 'deploy')?.uid;
    setup.proxy.decide = ({ isWatch }) => (isWatch ? proxyStatus(410, 'Expired', 'too old') : PASS);
    setup.proxy.sever();
    await patchInstance(setup.engine.api, namespace, 'app', { parameters: { VALUE: 'two' } });
    await until('the edit is acted upon', () => {
      const now = statusOf(namespace, 'deploy');
      return now?.uid !== before && now?.status === 'COMPLETE';
    });
    setup.proxy.decide = () => PASS;
  }, 120_000);
});
