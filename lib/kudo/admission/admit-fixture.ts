import { cloneJson } from '@/lib/json/json';
import { formatActedUpon, type RecordedExecution } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { nextAction } from '@/lib/kudo/plan/next-action';
import type { NextAction } from '@/lib/kudo/plan/next-action-types';
import { TEST_FINGERPRINTS, TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { ExecutionStatus, Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';
import { admit } from './admit';

export const NOW = '2026-01-01T00:00:00Z';
const operatorVersion: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v1', namespace: 'n' },
  spec: {
    parameters: [
      { name: 'A' },
      { name: 'B', trigger: 'backup' },
      { name: 'C', trigger: 'update' },
      { name: 'FIXED', immutable: true, default: 'x' },
    ],
    plans: { deploy: {}, update: {}, backup: {}, cleanup: {} },
  },
};

export interface Given {
  readonly parameters?: { [name: string]: string };
  readonly execution?: PlanExecution;
  /** What the record says; absent: the parameters above. */
  readonly seen?: { [name: string]: string };
  readonly begun?: Partial<RecordedExecution>;
  readonly plans?: { [plan: string]: [ExecutionStatus, string] };
}

/** An Instance that was deployed under `d0`, unless more is said. */
export function stored({
  parameters = {},
  execution = {},
  seen = parameters,
  begun = {},
  plans,
}: Given = {}): Instance {
  const record = { plan: 'deploy', uid: 'd0', startedAt: NOW, ...begun };
  const spec = { operatorVersion: { name: 'v1' }, parameters };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'i',
      namespace: 'n',
      annotations: {
        [ACTED_UPON_ANNOTATION]: formatActedUpon({ spec: { ...spec, parameters: seen } }, TEST_RECORD, record),
      },
      finalizers: ['kudo.dev.instance.cleanup'],
    },
    spec: { ...spec, planExecution: execution },
    status: {
      planStatus: Object.fromEntries(
        Object.entries(plans ?? { deploy: ['COMPLETE', 'd0'] as const }).map(([name, [status, uid]]) => [
          name,
          { name, status, uid },
        ]),
      ),
    },
  };
}

export const running: Given = {
  execution: { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' },
  begun: { uid: 'd1' },
  plans: { deploy: ['IN_PROGRESS', 'd1'] },
};

export function changed(before: Instance, change: (instance: Instance) => void): Instance {
  const sent = cloneJson(before);
  change(sent);
  return sent;
}

export const set = (parameters: { [name: string]: string }) => (instance: Instance) => {
  instance.spec = { ...instance.spec, parameters: { ...instance.spec?.parameters, ...parameters } };
};
export const execute = (planExecution: PlanExecution) => (instance: Instance) => {
  instance.spec = { ...instance.spec, planExecution };
};

export const atDoor = (before: Instance | undefined, sent: Instance) => atDoorOf(operatorVersion, before, sent);

/** The same for Instances of another version. */
export const atDoorOf = (version: OperatorVersion, before: Instance | undefined, sent: Instance) =>
  admit({
    operation: before === undefined ? 'CREATE' : 'UPDATE',
    stored: before,
    sent,
    versions: { sent: version, stored: version, actedUpon: version },
    newUid: 'new',
    fingerprints: TEST_FINGERPRINTS,
    now: NOW,
  });

export const next = (instance: Instance): NextAction => nextOf(operatorVersion, instance);

/** The same for Instances of another version, or of one that does not exist. */
export const nextOf = (version: OperatorVersion | undefined, instance: Instance): NextAction =>
  nextAction({
    instance,
    operatorVersion: version,
    actedUponVersion: version,
    newUid: 'controller',
    fingerprints: TEST_FINGERPRINTS,
  });
