import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Fact, StoreChange } from './fact';
import { appliedConfigMap, change, instanceWith, VERSION, violationsOf } from './facts-fixture';
import { once } from './once';
import { repaired } from './repaired';
import { sameInputs } from './same-inputs';

describe('I3, once', () => {
  const invariant = once(({ metadata }) => metadata.name === 'switched');

  it('reports an object that one execution creates twice', () => {
    const twice = [change('ADDED', appliedConfigMap('one')), change('ADDED', appliedConfigMap('one'))];
    expect(violationsOf(invariant, twice)).toEqual(['I3: ConfigMap ns/one under u1 was created twice']);
  });

  it('allows another execution to create it again, and a plan to create what it deleted', () => {
    const again = [change('ADDED', appliedConfigMap('one')), change('ADDED', appliedConfigMap('one', { uid: 'u2' }))];
    expect(violationsOf(invariant, again)).toEqual([]);
    expect(
      violationsOf(invariant, [
        change('ADDED', appliedConfigMap('switched')),
        change('ADDED', appliedConfigMap('switched')),
      ]),
    ).toEqual([]);
  });
});

describe('I3, nothing for a deleted Instance', () => {
  it('reports an object that is created long after its Instance was deleted', () => {
    const gone: StoreChange = { ...change('DELETED', instanceWith()), atMs: 0 };
    const made = (atMs: number): StoreChange => ({ ...change('ADDED', appliedConfigMap('one')), atMs });
    const invariant = once(() => false);
    expect(violationsOf(invariant, [gone, made(1_000), made(2_000)])).toEqual([]);
    expect(violationsOf(invariant, [gone, made(600_000)])).toHaveLength(1);
  });
});

describe('I3, rendered once', () => {
  it('reports a step that renders other content within one execution', () => {
    const invariant = sameInputs({ isRenderedOnce: ({ kind }) => kind === 'ConfigMap', memoryOf: () => undefined });
    const first = change('ADDED', appliedConfigMap('one', { data: 'x' }));
    expect(violationsOf(invariant, [first, change('MODIFIED', appliedConfigMap('one', { data: 'y' }))])).toHaveLength(
      1,
    );
    expect(
      violationsOf(invariant, [first, change('MODIFIED', appliedConfigMap('one', { data: 'y', step: 's1' }))]),
    ).toEqual([]);
    expect(
      violationsOf(invariant, [first, change('MODIFIED', appliedConfigMap('one', { data: 'y', uid: 'u2' }))]),
    ).toEqual([]);
  });
});

describe('I3, rendered once, while the OperatorVersion is edited', () => {
  const invariant = sameInputs({ isRenderedOnce: ({ kind }) => kind === 'ConfigMap', memoryOf: () => 'u1' });
  const first = change('ADDED', appliedConfigMap('one', { data: 'x' }));
  const edit = change('MODIFIED', VERSION, VERSION);
  const stored = change('ADDED', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'memory', namespace: 'ns' } });
  const other = change('MODIFIED', appliedConfigMap('one', { data: 'y' }));
  const third = change('MODIFIED', appliedConfigMap('one', { data: 'z' }));

  it('reports other content of a run whose Secret was already stored', () => {
    expect(violationsOf(invariant, [first, stored, edit, other])).toHaveLength(1);
    expect(violationsOf(invariant, [stored, edit, first, other])).toHaveLength(1);
  });

  it('allows other content once when the process that knew the first content died', () => {
    expect(violationsOf(invariant, [first, edit, other])).toEqual([]);
    expect(violationsOf(invariant, [first, edit, stored, other])).toEqual([]);
    expect(violationsOf(invariant, [first, edit, other, third])).toHaveLength(1);
  });

  it('allows an edit between the start of the execution and its first write, when the version is read', () => {
    const begun = change('MODIFIED', { ...instanceWith(), spec: { planExecution: { uid: 'u1' } } });
    expect(violationsOf(invariant, [begun, edit, first, other])).toEqual([]);
    expect(violationsOf(invariant, [begun, edit, first, other, third])).toHaveLength(1);
    expect(violationsOf(invariant, [edit, begun, first, other])).toHaveLength(1);
  });

  it('treats an OperatorVersion that is deleted and created again as edited', () => {
    const made = change('ADDED', VERSION);
    const gone = change('DELETED', VERSION);
    expect(violationsOf(invariant, [made, first, gone, made, other])).toEqual([]);
    expect(violationsOf(invariant, [first, made, other])).toHaveLength(1);
  });
});

describe('I13, self-heal', () => {
  const record = { spec: { replicas: 2, containers: [{ name: 'web' }] } };
  const kept = (live: KubeObject | undefined, isLost = false): Fact => ({
    fact: 'kept',
    instance: 'ns/sim',
    name: 'Deployment web',
    live,
    isLost,
  });
  const deployment = (spec: JsonObject): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations: { 'kudo.dev/last-applied-configuration': JSON.stringify(record) } },
    spec,
  });

  it('accepts an object as it was applied, with fields that others added', () => {
    const live = deployment({ replicas: 2, paused: false, containers: [{ name: 'web', image: 'x' }] });
    expect(violationsOf(repaired, [kept(live)])).toEqual([]);
  });

  it('allows an object of unknown content to stay deleted, and nothing else', () => {
    expect(violationsOf(repaired, [kept(undefined, true)])).toEqual([]);
    expect(violationsOf(repaired, [kept(deployment({ replicas: 3 }), true)])).toHaveLength(1);
  });

  it('reports a deleted object, and a field with another value', () => {
    expect(violationsOf(repaired, [kept(undefined)])).toEqual([
      'I13: Instance ns/sim has self-heal on, but Deployment web does not exist',
    ]);
    const drifted = deployment({ replicas: 3, containers: [{ name: 'web' }] });
    expect(violationsOf(repaired, [kept(drifted)])[0]).toContain(
      'has another value of spec.replicas than the one that was applied',
    );
    const emptied = deployment({ replicas: 2 });
    expect(violationsOf(repaired, [kept(emptied)])[0]).toContain('spec.containers[0].name');
  });
});
