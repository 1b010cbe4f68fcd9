import { expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import type { Instance } from '@/lib/kudo/types';
import { renderInThread } from '@/server/tasks/render-texts';
import { isAtRest } from './at-rest';
import { plainScript } from './plain-script';
import { INSTANCE, instanceOf, operatorsOf } from './script-objects';
import { type Simulation, startSimulation } from './simulation';
import { templatesOf } from './templates';

const HEALTHY = Array.from({ length: 10 }, (_, index) => `healthy-${index}`);
const POISONED = 'poisoned';
const TASKS = ['own', 'random', 'web', 'job'];
const LIMIT_MS = 10 * 60_000;

/** Operator, version and Instance of a namespace; `spoil` changes them first. */
function populate(
  { sandbox: { api } }: Simulation,
  namespace: string,
  { spoil = {}, tasks = TASKS }: { spoil?: Spoil | undefined; tasks?: readonly string[] } = {},
): void {
  const script = plainScript(namespace, ...tasks);
  api.create({ group: '', version: 'v1', resource: 'namespaces' }, namespaceObject(namespace));
  const { operators, versions } = operatorsOf(script);
  for (const operator of operators) api.create({ ...OPERATORS, namespace }, operator);
  for (const version of versions) api.create({ ...OPERATOR_VERSIONS, namespace }, spoil.version?.(version) ?? version);
  const instance = instanceOf(script);
  api.create({ ...INSTANCES, namespace }, spoil.instance?.(instance) ?? instance);
}

function namespaceObject(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

interface Spoil {
  readonly version?: (version: KubeObject) => KubeObject;
  readonly instance?: (instance: KubeObject) => KubeObject;
}

const withAnnotation = (name: string, text: string) => (instance: KubeObject) => ({
  ...instance,
  metadata: { ...instance.metadata, annotations: { [name]: text } },
});
const withSpec = (spec: object) => (object: KubeObject) => ({ ...object, spec: { ...Object(object.spec), ...spec } });

/** Virtual time until each healthy Instance is at rest, all of them made at once. */
async function timesToRest(poison: Spoil | undefined): Promise<number[]> {
  const simulation = await startSimulation({ seed: 'poison', faultRate: { percent: 0 }, podDelayMs: 1_000 });
  const { scheduler, sandbox, clock } = simulation;
  const instanceIn = (namespace: string) =>
    sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  const times = await scheduler.drive(
    (async () => {
      const { controller } = await simulation.startController();
      await controller.synced;
      await scheduler.until(() => controller.leads, LIMIT_MS);
      if (poison !== undefined) populate(simulation, POISONED, { spoil: poison });
      const startMs = clock.now();
      for (const namespace of HEALTHY) populate(simulation, namespace);
      return Promise.all(
        HEALTHY.map(async (namespace) => {
          expect(await scheduler.until(() => isAtRest(instanceIn(namespace)), LIMIT_MS)).toBe(true);
          return clock.now() - startMs;
        }),
      );
    })(),
  );
  await simulation.stop();
  return times;
}

let alone: Promise<number[]> | undefined;

it.each<[string, Spoil]>([
  ['whose OperatorVersion does not exist', { instance: withSpec({ operatorVersion: { name: 'nowhere' } }) }],
  ['whose record of what was acted upon is no JSON', { instance: withAnnotation(ACTED_UPON_ANNOTATION, '{"plan":') }],
  ['whose record is of other types', { instance: withAnnotation(ACTED_UPON_ANNOTATION, '{"parameters":7,"uid":[]}') }],
  ['whose inventory is no JSON', { instance: withAnnotation(INVENTORY_ANNOTATION, '[[[') }],
  [
    'whose templates never end',
    { version: withSpec({ templates: { 'own.yaml': '{{ range until 1000000 }}{{ end }}' } }) },
  ],
  ['whose templates do not exist', { version: withSpec({ templates: {} }) }],
  ['whose plans name no tasks', { version: withSpec({ tasks: [] }) }],
])('C32 an Instance %s leaves the others as quick as they are without it', async (_what, poison) => {
  alone ??= timesToRest(undefined);
  const expected = await alone;
  const beside = await timesToRest(poison);
  for (const [index, time] of beside.entries()) expect(time).toBeLessThanOrEqual((expected[index] ?? 0) * 1.1);
});

const MANY = Array.from({ length: 99 }, (_, index) => `healthy-${index}`);
/** In a template of the one Instance on which the renderer throws an unexpected error. */
const MARK = '# poison';

/** The same for a hundred Instances of one object each, of which the last throws in its reconcile, or is as healthy as the others. */
async function amongAHundred(isPoisoned: boolean) {
  let isCured = false;
  let thrown = 0;
  const simulation = await startSimulation({
    seed: 'hundred',
    faultRate: { percent: 0 },
    podDelayMs: 1_000,
    renderTexts: async (batch) => {
      if (isCured || !batch.templates.some(({ text }) => text.includes(MARK))) return renderInThread(batch);
      thrown += 1;
      throw new TypeError('the secret word is correct-horse');
    },
  });
  const { scheduler, sandbox, clock } = simulation;
  const instanceIn = (namespace: string) =>
    sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  const poison = withSpec({ templates: { 'own.yaml': `${MARK}\n${templatesOf('first')['own.yaml']}` } });
  try {
    return await scheduler.drive(
      (async () => {
        const { controller } = await simulation.startController();
        await controller.synced;
        await scheduler.until(() => controller.leads, LIMIT_MS);
        populate(simulation, POISONED, { tasks: ['own'], spoil: isPoisoned ? { version: poison } : {} });
        const startMs = clock.now();
        for (const namespace of MANY) populate(simulation, namespace, { tasks: ['own'] });
        const times = await Promise.all(
          MANY.map(async (namespace) => {
            expect(await scheduler.until(() => isAtRest(instanceIn(namespace)), LIMIT_MS)).toBe(true);
            return clock.now() - startMs;
          }),
        );
        await scheduler.pass(LIMIT_MS);
        const stalled = instanceIn(POISONED)?.status?.conditions?.find(({ type }) => type === 'Stalled');
        const requeueAfterMs = controller.requeueAfterMs(`${POISONED}/${INSTANCE}`);
        isCured = true;
        expect(await scheduler.until(() => isAtRest(instanceIn(POISONED)), 60_000)).toBe(true);
        return { times, stalled, requeueAfterMs, thrown, cured: instanceIn(POISONED) };
      })(),
    );
  } finally {
    await simulation.stop();
  }
}

it('C32 one of a hundred Instances that throws costs the others nothing, says so, is tried ever more rarely, and heals', async () => {
  const alone = await amongAHundred(false);
  const beside = await amongAHundred(true);
  for (const [index, time] of beside.times.entries()) expect(time).toBeLessThanOrEqual((alone.times[index] ?? 0) * 1.1);
  expect(beside.stalled).toMatchObject({ status: 'True', reason: 'ReconcileFailed' });
  expect(JSON.stringify(beside.stalled)).not.toContain('correct-horse');
  expect(beside.requeueAfterMs).toBeLessThanOrEqual(60_000);
  expect(beside.thrown).toBeGreaterThan(5);
  expect(beside.thrown).toBeLessThan(30);
  expect(beside.cured?.status?.planStatus?.deploy?.status).toBe('COMPLETE');
  expect(beside.cured?.status?.conditions?.some(({ type }) => type === 'Stalled')).toBe(false);
});
