import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { Fact, Invariant, StoreChange } from './fact';
import { observe } from './observe';

/** The violations that an invariant reports for these facts, in order. */
export function violationsOf(invariant: Invariant, facts: readonly Fact[]): readonly string[] {
  const observer = observe([invariant]);
  for (const fact of facts) observer.take(fact);
  return observer.violations;
}

let revision = 0;

/** A change of an object, with a revision of its own. */
export function change(
  type: StoreChange['type'],
  object: KubeObject,
  before?: KubeObject,
  resource = '/configmaps',
): StoreChange {
  const metadata = { ...object.metadata, resourceVersion: String(++revision) };
  return { fact: 'change', atMs: revision, type, resource, object: { ...object, metadata }, before };
}

const OWNER = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'sim', uid: 'i', controller: true };

/** A ConfigMap as a step of a plan applies it. */
export function appliedConfigMap(name: string, { step = 's0', data = 'x', uid = 'u1' } = {}): KubeObject {
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

/** Its deploy plan has two steps, one after the other. */
export const VERSION = {
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

/** What the status and the record of an Instance say. */
export interface Written {
  readonly steps?: readonly [string, string];
  readonly status?: string;
  readonly uid?: string;
  readonly plan?: string;
  readonly parameters?: { [name: string]: string };
  readonly seen?: { [name: string]: string };
}

/** An Instance with one plan. */
export function instanceWith(written: Written = {}): KubeObject {
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
