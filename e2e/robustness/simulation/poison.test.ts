import { expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon';
import type { Instance } from '@/lib/kudo/types';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/upkeep/inventory';
import { plainScript } from './plain-script';
import { isAtRest } from './play-script';
import { INSTANCE, instanceOf, operatorsOf } from './script-objects';
import { makeWorld, type SimulatedWorld } from './world';

const HEALTHY = Array.from({ length: 10 }, (_, index) => `healthy-${index}`);
const POISONED = 'poisoned';
const LIMIT_MS = 10 * 60_000;

/** Operator, version and Instance of a namespace; `spoil` changes them first. */
function populate({ sandbox: { api } }: SimulatedWorld, namespace: string, spoil: Spoil = {}): void {
  const script = plainScript(namespace, 'own', 'random', 'web', 'job');
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
  const world = await makeWorld({ seed: 'poison', weather: { faultPercent: 0 }, podDelayMs: 1_000 });
  const { scheduler, sandbox, clock } = world;
  const instanceIn = (namespace: string) =>
    sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  const times = await scheduler.drive(
    (async () => {
      const { controller } = await world.startController();
      await controller.synced;
      await scheduler.until(() => controller.leads, LIMIT_MS);
      if (poison !== undefined) populate(world, POISONED, poison);
      const startMs = clock.now();
      for (const namespace of HEALTHY) populate(world, namespace);
      return Promise.all(
        HEALTHY.map(async (namespace) => {
          expect(await scheduler.until(() => isAtRest(instanceIn(namespace)), LIMIT_MS)).toBe(true);
          return clock.now() - startMs;
        }),
      );
    })(),
  );
  await world.stop();
  return times;
}

let alone: Promise<number[]> | undefined;

it.each<[string, Spoil]>([
  ['whose OperatorVersion is not there', { instance: withSpec({ operatorVersion: { name: 'nowhere' } }) }],
  ['whose record of what was acted upon is no JSON', { instance: withAnnotation(ACTED_UPON_ANNOTATION, '{"plan":') }],
  ['whose record is of other types', { instance: withAnnotation(ACTED_UPON_ANNOTATION, '{"parameters":7,"uid":[]}') }],
  ['whose inventory is no JSON', { instance: withAnnotation(INVENTORY_ANNOTATION, '[[[') }],
  [
    'whose templates never end',
    { version: withSpec({ templates: { 'own.yaml': '{{ range until 1000000 }}{{ end }}' } }) },
  ],
  ['whose templates are not there', { version: withSpec({ templates: {} }) }],
  ['whose plans name no tasks', { version: withSpec({ tasks: [] }) }],
])('C32 an Instance %s leaves the others as quick as they are without it', async (_what, poison) => {
  alone ??= timesToRest(undefined);
  const expected = await alone;
  const beside = await timesToRest(poison);
  for (const [index, time] of beside.entries()) expect(time).toBeLessThanOrEqual((expected[index] ?? 0) * 1.1);
});
