import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon';
import type { OperatorVersion } from '@/lib/kudo/types';
import { cacheTruth } from './cache-truth';
import type { Change, Delivery, Fact, Invariant } from './fact';
import { liveness } from './liveness';
import { noWayBack } from './no-way-back';
import { nothingLost } from './nothing-lost';
import { observe } from './observe';
import { once } from './once';
import { oneWriter } from './one-writer';
import { planOrder } from './plan-order';
import { repaired } from './repaired';
import { sameInputs } from './same-inputs';
import { watchGuarantees } from './watch-guarantees';

function violationsOf(invariant: Invariant, facts: readonly Fact[]): readonly string[] {
  const observer = observe([invariant]);
  for (const fact of facts) observer.take(fact);
  return observer.violations;
}

let revision = 0;

function change(type: Change['type'], object: KubeObject, before?: KubeObject, resource = '/configmaps'): Change {
  const metadata = { ...object.metadata, resourceVersion: String(++revision) };
  return { fact: 'change', atMs: revision, type, resource, object: { ...object, metadata }, before };
}

const OWNER = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'sim', uid: 'i', controller: true };

function applied(name: string, { step = 's0', data = 'x', uid = 'u1' } = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'ns',
      ownerReferences: [OWNER],
      annotations: {
        'kudo.dev/plan': 'deploy',
        'kudo.dev/phase': 'p0',
        'kudo.dev/step': step,
        'kudo.dev/last-plan-execution-uid': uid,
      },
    },
    data: { a: data },
  };
}

const VERSION = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'sim-1.0.0', namespace: 'ns' },
  spec: {
    parameters: [{ name: 'B', default: 'b', trigger: 'backup' }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'p0', strategy: 'serial', steps: [{ name: 's0' }, { name: 's1' }] }],
      },
    },
  },
} satisfies OperatorVersion;

interface Written {
  readonly steps?: readonly [string, string];
  readonly status?: string;
  readonly uid?: string;
  readonly plan?: string;
  readonly parameters?: { [name: string]: string };
  readonly seen?: { [name: string]: string };
}

function instance(written: Written = {}): KubeObject {
  const { steps = ['PENDING', 'PENDING'], status = 'IN_PROGRESS', uid = 'u1', plan = 'deploy' } = written;
  const { parameters = {}, seen = {} } = written;
  const phase = { name: 'p0', status, steps: steps.map((each, index) => ({ name: `s${index}`, status: each })) };
  const record = { operatorVersion: { name: 'sim-1.0.0' }, parameters: seen, plan, uid };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'sim',
      namespace: 'ns',
      uid: 'i',
      annotations: { [ACTED_UPON_ANNOTATION]: JSON.stringify(record) },
    },
    spec: { operatorVersion: { name: 'sim-1.0.0' }, parameters },
    status: { planStatus: { [plan]: { name: plan, status, uid, phases: [phase] } } } as JsonValue,
  };
}

describe('I1, liveness', () => {
  const look = (atMs: number, nextLookMs: number | undefined): Fact => {
    return { fact: 'look', atMs, instance: 'ns/sim', isBusy: true, nextLookMs };
  };

  it('reports a next look that is too far away', () => {
    expect(violationsOf(liveness, [look(0, 60_000)])).toEqual([]);
    expect(violationsOf(liveness, [look(0, 120_000)])).toEqual(['I1: the next look at ns/sim is 120000 ms away']);
  });

  it('reports an Instance that nobody looks after', () => {
    expect(violationsOf(liveness, [look(0, undefined), look(100_000, 0), look(300_000, undefined)])).toEqual([]);
    expect(violationsOf(liveness, [look(0, undefined), look(300_000, undefined)])).toHaveLength(1);
  });
});

describe('I3, once', () => {
  const invariant = once(({ metadata }) => metadata.name === 'switched');

  it('reports an object that one execution creates twice', () => {
    const twice = [change('ADDED', applied('one')), change('ADDED', applied('one'))];
    expect(violationsOf(invariant, twice)).toEqual(['I3: ConfigMap ns/one under u1 was created twice']);
  });

  it('lets another execution create it again, and a plan return what it took away', () => {
    const again = [change('ADDED', applied('one')), change('ADDED', applied('one', { uid: 'u2' }))];
    expect(violationsOf(invariant, again)).toEqual([]);
    expect(
      violationsOf(invariant, [change('ADDED', applied('switched')), change('ADDED', applied('switched'))]),
    ).toEqual([]);
  });
});

describe('I3, nothing for nobody', () => {
  it('reports an object that is made long after its Instance is gone', () => {
    const gone: Change = { ...change('DELETED', instance()), atMs: 0 };
    const made = (atMs: number): Change => ({ ...change('ADDED', applied('one')), atMs });
    const invariant = once(() => false);
    expect(violationsOf(invariant, [gone, made(1_000), made(2_000)])).toEqual([]);
    expect(violationsOf(invariant, [gone, made(600_000)])).toHaveLength(1);
  });
});

describe('I3, rendered once', () => {
  it('reports other content of one step in one execution', () => {
    const invariant = sameInputs({ isRenderedOnce: ({ kind }) => kind === 'ConfigMap', memoryOf: () => undefined });
    const first = change('ADDED', applied('one', { data: 'x' }));
    expect(violationsOf(invariant, [first, change('MODIFIED', applied('one', { data: 'y' }))])).toHaveLength(1);
    expect(violationsOf(invariant, [first, change('MODIFIED', applied('one', { data: 'y', step: 's1' }))])).toEqual([]);
    expect(violationsOf(invariant, [first, change('MODIFIED', applied('one', { data: 'y', uid: 'u2' }))])).toEqual([]);
  });
});

describe('I3, rendered once, when the OperatorVersion is edited meanwhile', () => {
  const invariant = sameInputs({ isRenderedOnce: ({ kind }) => kind === 'ConfigMap', memoryOf: () => 'u1' });
  const first = change('ADDED', applied('one', { data: 'x' }));
  const edit = change('MODIFIED', VERSION, VERSION);
  const stored = change('ADDED', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'memory', namespace: 'ns' } });
  const other = change('MODIFIED', applied('one', { data: 'y' }));
  const third = change('MODIFIED', applied('one', { data: 'z' }));

  it('reports other content of a run whose memory was stored by then', () => {
    expect(violationsOf(invariant, [first, stored, edit, other])).toHaveLength(1);
    expect(violationsOf(invariant, [stored, edit, first, other])).toHaveLength(1);
  });

  it('lets through what nobody can know any more, once', () => {
    expect(violationsOf(invariant, [first, edit, other])).toEqual([]);
    expect(violationsOf(invariant, [first, edit, stored, other])).toEqual([]);
    expect(violationsOf(invariant, [first, edit, other, third])).toHaveLength(1);
  });
});

describe('I4, order', () => {
  const version = change('ADDED', VERSION);

  it('reports a step that begins while the one before is under way', () => {
    const early = change('MODIFIED', instance({ steps: ['IN_PROGRESS', 'IN_PROGRESS'] }));
    expect(violationsOf(planOrder, [version, early])).toEqual([
      'I4: sim.deploy.p0.s1 is IN_PROGRESS while s0 is IN_PROGRESS',
    ]);
  });

  it('reports an object that is written before the end of the step before is stored', () => {
    const running = change('MODIFIED', instance({ steps: ['IN_PROGRESS', 'PENDING'] }));
    const done = change('MODIFIED', instance({ steps: ['COMPLETE', 'PENDING'] }));
    const write = change('ADDED', applied('one', { step: 's1' }));
    expect(violationsOf(planOrder, [version, running, write])).toHaveLength(1);
    expect(violationsOf(planOrder, [version, done, write])).toEqual([]);
  });
});

describe('I5, no way back', () => {
  const from = (before: Written, after: Written) =>
    violationsOf(noWayBack, [
      change('MODIFIED', instance(before)),
      change('MODIFIED', instance(after), instance(before)),
    ]);

  it('reports a step that leaves COMPLETE', () => {
    expect(from({ steps: ['COMPLETE', 'PENDING'] }, { steps: ['IN_PROGRESS', 'PENDING'] })).toEqual([
      'I5: step deploy.p0.s0 went from COMPLETE to IN_PROGRESS',
    ]);
  });

  it('reports a plan that leaves its end, and one that comes back after another', () => {
    expect(from({ status: 'COMPLETE' }, { status: 'IN_PROGRESS' })).toEqual([
      'I5: plan deploy went from COMPLETE to IN_PROGRESS',
    ]);
    const facts = [
      change('MODIFIED', instance({ status: 'COMPLETE', uid: 'u1' })),
      change('MODIFIED', instance({ uid: 'u2' }), instance({ status: 'COMPLETE', uid: 'u1' })),
      change('MODIFIED', instance({ uid: 'u1' }), instance({ uid: 'u2' })),
    ];
    expect(violationsOf(noWayBack, facts)).toEqual(['I5: the ended execution u1 of plan deploy came back']);
  });

  it('reports a uid that two executions share', () => {
    expect(from({ plan: 'deploy', uid: 'u1' }, { plan: 'backup', uid: 'u1' })).toHaveLength(1);
  });
});

describe('I6, nothing lost', () => {
  const invariant = nothingLost(() => VERSION);
  const rest = (written: Written): Fact => ({ fact: 'rest', instance: instance(written) });

  it('reports an edit that nobody acted upon', () => {
    expect(violationsOf(invariant, [rest({ parameters: { B: 'new' } })])[0]).toContain('nobody acted upon');
  });

  it('reports a value that the plan it starts has never seen', () => {
    const begun = change('MODIFIED', instance({ seen: {} }));
    const lost = rest({ parameters: { B: 'new' }, seen: { B: 'new' } });
    expect(violationsOf(invariant, [begun, lost])).toEqual([
      'I6: parameter B is new, but plan backup was last begun with b (u1)',
    ]);
    const seen = change('MODIFIED', instance({ seen: { B: 'new' }, plan: 'backup', uid: 'u2' }));
    expect(violationsOf(invariant, [begun, seen, lost])).toEqual([]);
  });
});

describe('I7, one writer', () => {
  const call = (method: string, body: JsonValue, holder = 'a', path = '/api/v1/namespaces/ns/configmaps/one'): Fact => {
    return { fact: 'call', atMs: 0, by: 'a', holder, method, path, body: JSON.stringify(body), status: 200 };
  };
  const put = { metadata: { resourceVersion: '7' } };

  it('reports a write of a process that does not hold the lease', () => {
    expect(violationsOf(oneWriter, [call('PUT', put)])).toEqual([]);
    expect(violationsOf(oneWriter, [call('PUT', put, 'b')])[0]).toContain('took effect while b led');
    expect(
      violationsOf(oneWriter, [call('PUT', put, 'b', '/apis/coordination.k8s.io/v1/namespaces/x/leases/y')]),
    ).toEqual([]);
  });

  it('reports a write that is not conditional', () => {
    expect(violationsOf(oneWriter, [call('PUT', { metadata: {} })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('PATCH', { data: { a: 'b' } })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('PATCH', put)])).toEqual([]);
    expect(violationsOf(oneWriter, [call('DELETE', { kind: 'DeleteOptions' })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('DELETE', { preconditions: { uid: 'x' } })])).toEqual([]);
  });
});

describe('I8, cache truth', () => {
  it('reports what a copy lacks, holds in an old state, and still holds', () => {
    const truth = new Map([
      ['ns/a', '1'],
      ['ns/b', '2'],
    ]);
    const copy = (...held: [string, string][]): Fact => ({ fact: 'copy', of: 'a cache', held: new Map(held), truth });
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'], ['ns/b', '2'])])).toEqual([]);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'])])).toEqual(['I8: a cache lacks ns/b']);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '0'], ['ns/b', '2'])])).toEqual([
      'I8: a cache holds ns/a at 0, it is at 1',
    ]);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'], ['ns/b', '2'], ['ns/c', '3'])])).toHaveLength(1);
  });
});

describe('I9, watch', () => {
  const stored = (version: number, labels: { [name: string]: string } = {}): Change => {
    const object = { ...applied('one'), metadata: { name: 'one', resourceVersion: String(version), labels } };
    return { fact: 'change', atMs: 0, type: 'MODIFIED', resource: '/configmaps', object, before: undefined };
  };
  const sent = (version: number, type: Delivery['type'] = 'MODIFIED', labelSelector = ''): Delivery => {
    return { fact: 'delivery', watch: 1, resource: '/configmaps', labelSelector, from: 10, type, revision: version };
  };
  const check = (...facts: Fact[]) => violationsOf(watchGuarantees, facts);

  it('accepts what comes in order and whole', () => {
    expect(check(stored(11), sent(11), stored(12), sent(12), sent(12, 'BOOKMARK'))).toEqual([]);
    expect(check(stored(11), stored(12, { a: 'b' }), sent(12, 'MODIFIED', 'a=b'))).toEqual([]);
  });

  it('reports events out of order, twice, and older than the revision that was named', () => {
    expect(check(stored(11), stored(12), sent(11), sent(12), sent(11))).toHaveLength(1);
    expect(check(stored(11), sent(11), sent(11))).toHaveLength(1);
    expect(check(sent(9))).toHaveLength(1);
  });

  it('reports an event that was left out, and a bookmark that says too much', () => {
    expect(check(stored(11), stored(12), sent(12))).toEqual([
      'I9: watch 1 of /configmaps was not sent 11, but MODIFIED 12',
    ]);
    expect(check(stored(11), sent(11, 'BOOKMARK'))).toEqual([
      'I9: watch 1 of /configmaps was not sent 11, but BOOKMARK 11',
    ]);
  });
});

describe('I13, repair', () => {
  const record = { spec: { replicas: 2, containers: [{ name: 'web' }] } };
  const kept = (live: KubeObject | undefined): Fact => ({
    fact: 'kept',
    instance: 'ns/sim',
    name: 'Deployment web',
    live,
  });
  const deployment = (spec: JsonObject): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations: { 'kudo.dev/last-applied-configuration': JSON.stringify(record) } },
    spec,
  });

  it('accepts what was applied, with what others added', () => {
    const live = deployment({ replicas: 2, paused: false, containers: [{ name: 'web', image: 'x' }] });
    expect(violationsOf(repaired, [kept(live)])).toEqual([]);
  });

  it('reports an object that is gone, and a field that is otherwise', () => {
    expect(violationsOf(repaired, [kept(undefined)])).toEqual(['I13: ns/sim heals itself, but Deployment web is gone']);
    const drifted = deployment({ replicas: 3, containers: [{ name: 'web' }] });
    expect(violationsOf(repaired, [kept(drifted)])[0]).toContain('has another spec.replicas than was applied');
    const emptied = deployment({ replicas: 2 });
    expect(violationsOf(repaired, [kept(emptied)])[0]).toContain('spec.containers[0].name');
  });
});
