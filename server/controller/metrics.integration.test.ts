import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { ControllerMetrics } from '@/server/metrics/controller-metrics';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

const operator: OperatorVersionSpec = {
  operator: { name: 'db' },
  tasks: [done, { name: 'fatal', kind: 'Dummy', spec: { wantErr: true, fatal: true } }],
  plans: { deploy: plan(['done', 'done']), broken: plan(['fatal', 'fatal']) },
};

let engine: VirtualEngine;
afterEach(() => engine?.stop());

/** One Instance that was deployed, and whose plan `broken` failed. */
async function begin() {
  const registry = new Registry();
  engine = await startVirtualEngine({ metrics: new ControllerMetrics(registry) });
  const lab = await Lab.open(engine, 'measured');
  await engine.startController();
  const version = await lab.operator('db', operator);
  await lab.create('one', version);
  await lab.ends('one', 'deploy');
  await lab.patch('instances', 'one', { spec: { planExecution: { planName: 'broken', uid: 'b-1' } } });
  await lab.step('one', 'broken.main.fatal', 'FATAL_ERROR');
  await engine.pass(5_000);
  return registry;
}

/** The values of a metric, by its labels. */
async function valuesOf(registry: Registry, name: string): Promise<[labels: object, value: number][]> {
  const metric = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  const { values } = metric as MetricObjectWithValues<MetricValue<string>>;
  return values.map(({ labels, value }) => [labels, value]);
}

it('counts each plan once by its end, and times it', async () => {
  const registry = await begin();
  expect(await valuesOf(registry, 'bravo_plans_total')).toEqual([
    [{ plan: 'deploy', operator: 'db', result: 'COMPLETE' }, 1],
    [{ plan: 'broken', operator: 'db', result: 'FATAL_ERROR' }, 1],
  ]);
  const durations = await valuesOf(registry, 'bravo_plan_duration_seconds');
  expect(durations.filter(([labels]) => 'le' in labels && labels.le === '+Inf').map(([, value]) => value)).toEqual([
    1, 1,
  ]);
});

it('shows the queue under the names of controller-runtime, the lease, and the watched copies', async () => {
  const registry = await begin();
  const queue = { name: 'instances', controller: 'bravo' };
  expect(await valuesOf(registry, 'workqueue_depth')).toEqual([[queue, 0]]);
  expect(await valuesOf(registry, 'workqueue_longest_running_processor_seconds')).toEqual([[queue, 0]]);
  const [[, adds] = []] = await valuesOf(registry, 'workqueue_adds_total');
  expect(adds).toBeGreaterThanOrEqual(2);
  const reconciles = await valuesOf(registry, 'bravo_reconciles_total');
  expect(reconciles.reduce((sum, [, value]) => sum + value, 0)).toBe(adds);
  expect(await valuesOf(registry, 'bravo_leader')).toEqual([[{}, 1]]);
  expect(await valuesOf(registry, 'bravo_cache_objects')).toContainEqual([{ resource: 'instances' }, 1]);
  expect(await valuesOf(registry, 'bravo_cache_stale_seconds')).toContainEqual([{ resource: 'instances' }, 0]);
});

it('gives each reconcile an ID, which its log lines and its events have', async () => {
  await begin();
  const started = engine.logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'plan.started');
  expect(started.map(({ plan }) => plan)).toEqual(['deploy', 'broken']);
  const ids: string[] = started.map(({ reconcileID }) => reconcileID);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9]+$/.test(id))).toBe(true);
  const { items } = await engine.run(
    engine.people.list({ group: '', version: 'v1', resource: 'events', namespace: 'measured' }),
  );
  const marked = items.filter(({ reason }) => reason === 'PlanStarted');
  expect(marked.map(({ metadata }) => metadata.annotations?.['bravo.kudo.dev/reconcile-id']).sort()).toEqual(
    ids.sort(),
  );
});
