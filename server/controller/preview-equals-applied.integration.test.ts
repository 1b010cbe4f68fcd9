import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { systemRandom } from '@/lib/random/random';
import { markPlanned } from '@/server/instances/mark-planned';
import { previewPlan } from '@/server/instances/preview-plan';
import { readInstance } from '@/server/instances/read-instance';
import { type PreviewCluster, renderPlanned, servedBy } from '@/server/instances/render-planned';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { KindIndex } from '@/server/kube/kinds';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import { withLastApplied } from '@/server/tasks/applied-record';
import { createNamespace, type Engine, eventually, planEnds, startEngine } from '@/test/engine/https-engine';
import { sharedPath } from '@/test/golden/shared-path';

const bundled = fileURLToPath(new URL('../../operators', import.meta.url));
const RANDOM = /its template uses random values or the time, which are others in each run$/;

/** What a plan is to apply, by object: the record that Apply writes, without marks. Objects with random values are left out. */
async function expectedRecords(engine: Engine, key: { namespace: string; name: string }, plan: string) {
  const { instance, operatorVersion } = await readInstance(engine.api, key);
  if (operatorVersion === undefined) throw new Error('the operator version does not exist');
  const served = await servedBy(engine.api);
  const render = async (cluster: PreviewCluster) => {
    const state = renderPlanned(instance, operatorVersion, plan, cluster);
    expect(state.problems).toEqual([]);
    expect(await markPlanned(engine.api, state.all)).toEqual([]);
    return state.objects.filter(({ isDeleted }) => !isDeleted).map(({ object }) => object);
  };
  const first = await render({ ...served, nowMs: systemClock.now() });
  const second = await render({ ...served, nowMs: systemClock.now() + 1e11, streamKey: systemRandom.bytes(32) });
  return first.flatMap((object, index) => {
    const [record, other] = [object, second[index]].map((each) =>
      each === undefined ? '' : recordOf(withLastApplied(each)),
    );
    return record === other ? [{ object, record }] : [];
  });
}

/** The record of what was applied, without the marks that each run writes. */
function recordOf(object: KubeObject | undefined): string {
  const text = object?.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '{}';
  return JSON.stringify(JSON.parse(text), (key, value) => (APPLY_MARKS.has(key) ? undefined : value));
}

describe('what is applied equals the preview', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 20 });
  });
  afterAll(() => engine?.stop());

  const deploy = async (path: string, namespace: string, name = 'app') => {
    await createNamespace(engine.api, namespace).catch(() => undefined);
    const loaded = await loadPackage(path);
    const context = { catalogue: new PackageCatalogue({ bundledDir: bundled }), scope: loaded.scope };
    await install(engine.api, { prepared: await prepareInstall({ loaded, context, namespace, instance: name }) });
    await planEnds(engine.api, namespace, name, { plan: 'deploy' });
  };

  /** Runs a plan as previewed; the live objects have the previewed bytes, and the run says that it matches but for random values. */
  const runAsPreviewed = async (namespace: string, plan: string, name = 'app') => {
    const key = { namespace, name };
    const preview = await previewPlan(engine.api, key, { plan }, systemClock);
    expect(preview).toMatchObject({ outcome: 'runs', problems: [] });
    const expected = await expectedRecords(engine, key, plan);
    const { uid } = await triggerPlan(engine.api, key, { plan, wishes: { preview: preview.token } }, systemRandom);
    const run = await eventually('the run has ended', async () => {
      const { items } = await engine.api.list({ ...PLAN_RUNS, namespace });
      const found = (items as PlanRun[]).find(({ spec }) => spec?.uid === uid);
      return found?.status?.status === 'COMPLETE' ? found : undefined;
    });
    const kinds = new KindIndex(engine.api);
    for (const { object, record } of expected) {
      const target = await kinds.targetOf(object);
      const live = target === undefined ? undefined : await engine.api.get(target);
      expect(recordOf(live), `${object.kind} ${object.metadata.name}`).toBe(record);
    }
    const others = (run.status?.preview?.differs ?? []).filter((sentence) => !RANDOM.test(sentence));
    expect(others).toEqual([]);
    expect(run.status?.preview?.digest).toBe(preview.token.slice(0, 16));
    return { expected: expected.length, differs: run.status?.preview?.differs ?? [] };
  };

  for (const name of ['hello', 'postgres', 'etcd', 'valkey', 'mariadb', 'rabbitmq']) {
    it(`of the bundled ${name}`, async () => {
      await deploy(join(bundled, name, '1.0.0'), `same-${name}`);
      const { expected } = await runAsPreviewed(`same-${name}`, 'deploy');
      expect(expected).toBeGreaterThan(0);
    });
  }

  it('of a backup of the bundled postgres', async () => {
    await runAsPreviewed('same-postgres', 'backup');
  });

  for (const name of ['first-operator', 'cowsay', 'redis', 'mysql', 'zookeeper']) {
    const path = sharedPath(`operators/${name}/operator`);
    it.skipIf(path === undefined)(`of the published ${name} (needs ../shared)`, async () => {
      await deploy(path ?? '', `shared-${name}`);
      await runAsPreviewed(`shared-${name}`, 'deploy');
    });
  }

  const kafka = sharedPath('operators/kafka/operator');
  it.skipIf(kafka === undefined)('of the published kafka beside its zookeeper (needs ../shared)', async () => {
    await deploy(sharedPath('operators/zookeeper/operator') ?? '', 'shared-kafka', 'zookeeper-instance');
    await deploy(kafka ?? '', 'shared-kafka', 'kafka');
    await runAsPreviewed('shared-kafka', 'deploy', 'kafka');
  });
});
