import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { objectAt } from '@/lib/json/json';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;
let from = 0;

beforeAll(async () => {
  engine = await startVirtualEngine({ leaseDurationS: 3 });
  lab = await Lab.open(engine, 'unread');
  await engine.startController();
});
afterAll(() => engine?.stop());
beforeEach(() => {
  from = engine.calls.length;
});

/** Requests of the controller for one object since the test began, as `METHOD status`. */
function calls(resource: string, name: string): string[] {
  const isCreation = (path: string, body: unknown) =>
    path.includes(`/${resource}?`) || path.endsWith(`/${resource}`)
      ? (body as { metadata?: { name?: string } } | undefined)?.metadata?.name === name
      : false;
  return engine.calls
    .slice(from)
    .filter(({ path, body }) => new RegExp(`/${resource}/${name}(\\?|$)`).test(path) || isCreation(path, body))
    .map(({ method, status }) => `${method} ${status}`);
}

const parameters = [
  { name: 'A', default: '1' },
  { name: 'B', default: '1' },
];
const twoMaps = (name: string) =>
  oneStep([apply('a', 'a.yaml', 'b.yaml')], {
    parameters,
    templates: {
      'a.yaml': configMap(`${name}-a`, '{value: "{{ .Params.A }}"}'),
      'b.yaml': configMap(`${name}-b`, '{value: "{{ .Params.B }}"}'),
    },
  });
const setA = (name: string, A: string) => lab.edit(name, { parameters: { A } }, 'deploy');
const dataOf = (name: string) => lab.find('configmaps', name)?.data;

/** Deploys two ConfigMaps, and counts from then on. */
async function deployed(name: string): Promise<void> {
  await lab.deploy(name, twoMaps(name));
  from = engine.calls.length;
}

describe('an object that this leader has applied before', () => {
  it('costs one request when an edit changes it, and one when it does not', async () => {
    await deployed('plain');
    await setA('plain', '2');
    await setA('plain', '3');
    expect(calls('configmaps', 'plain-a')).toEqual(['PATCH 200', 'PATCH 200']);
    expect(calls('configmaps', 'plain-b')).toEqual(['GET 200', 'GET 200']);
    expect(dataOf('plain-a')).toEqual({ value: '3' });
  });

  it('is read when somebody else has changed it, whose fields stay', async () => {
    await deployed('other');
    await lab.patch('configmaps', 'other-a', { data: { more: 'theirs' } });
    await setA('other', '2');
    expect(calls('configmaps', 'other-a')).toEqual(['PATCH 409', 'GET 200', 'PATCH 200']);
    expect(dataOf('other-a')).toEqual({ value: '2', more: 'theirs' });
    await setA('other', '3');
    expect(calls('configmaps', 'other-a').slice(3)).toEqual(['PATCH 200']);
    expect(dataOf('other-a')).toEqual({ value: '3', more: 'theirs' });
  });

  it('gets back what somebody else has changed, also when the edit does not change it', async () => {
    await deployed('undone');
    await lab.patch('configmaps', 'undone-b', { data: { value: 'theirs' } });
    await setA('undone', '2');
    expect(calls('configmaps', 'undone-b')).toEqual(['GET 200', 'PATCH 200']);
    expect(dataOf('undone-b')).toEqual({ value: '1' });
  });

  it('is created again when somebody has deleted it', async () => {
    await deployed('gone');
    await lab.remove('configmaps', 'gone-a');
    await setA('gone', '2');
    expect(calls('configmaps', 'gone-a')).toEqual(['PATCH 404', 'GET 404', 'POST 201']);
    expect(dataOf('gone-a')).toEqual({ value: '2' });
  });

  it('is not patched in vain when a plan has deleted it', async () => {
    const toggle = task('t', 'Toggle', { parameter: 'B', resources: ['c.yaml'] });
    const template = configMap('switched', '{value: "{{ .Params.A }}"}');
    const wanted = { parameters: { A: '1', B: 'true' } };
    await lab.deploy('switch', oneStep([toggle], { parameters, templates: { 'c.yaml': template } }), wanted.parameters);
    await lab.edit('switch', { parameters: { A: '1', B: 'false' } }, 'deploy');
    from = engine.calls.length;
    await lab.edit('switch', { parameters: { A: '2', B: 'true' } }, 'deploy');
    expect(calls('configmaps', 'switched')).toEqual(['GET 404', 'POST 201']);
    expect(lab.engine.problems).not.toContain('reconcile.failed');
  });

  it('is not overwritten when another controller has taken it over', async () => {
    await deployed('taken');
    const uid = lab.find('configmaps', 'taken-b')?.metadata.uid ?? '';
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'taken-b', uid, controller: true };
    await lab.patch('configmaps', 'taken-a', { metadata: { ownerReferences: [owner] } });
    await lab.edit('taken', { parameters: { A: '2' } }, 'deploy', { status: 'FATAL_ERROR' });
    expect(calls('configmaps', 'taken-a')).toEqual(['PATCH 409', 'GET 200']);
    expect(dataOf('taken-a')).toEqual({ value: '1' });
  });

  it('is read by a leader that comes after', async () => {
    await deployed('later');
    await engine.stopController();
    await engine.startController();
    from = engine.calls.length;
    await setA('later', '2');
    expect(calls('configmaps', 'later-a')).toEqual(['GET 200', 'PATCH 200']);
  });
});

describe('a workload, whose status changes by itself', () => {
  it('is never patched upon an old state: its watch says that it has changed', async () => {
    const template = deployment('web', { replicas: '{{ .Params.A }}' });
    await lab.deploy('web', oneStep([apply('a', 'd.yaml')], { parameters, templates: { 'd.yaml': template } }));
    const stored = lab.find('deployments', 'web')?.metadata.resourceVersion;
    from = engine.calls.length;
    await setA('web', '2');
    await lab.patch('deployments', 'web', { metadata: { labels: { mine: 'yes' } } });
    await setA('web', '3');
    const made = calls('deployments', 'web');
    expect(made.filter((call) => call === 'PATCH 200')).toHaveLength(2);
    expect(made).not.toContain('PATCH 409');
    expect(objectAt(lab.find('deployments', 'web') ?? {}, 'spec').replicas).toBe(3);
    expect(lab.find('deployments', 'web')?.metadata).not.toMatchObject({ resourceVersion: stored });
    expect(lab.find('deployments', 'web')?.metadata.labels?.mine).toBe('yes');
  });
});
