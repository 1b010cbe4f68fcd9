import { describe, expect, it } from 'vitest';
import { cloneJson } from '@/lib/json/json';
import { ACTED_UPON_ANNOTATION, actedUpon, formatActedUpon, type RecordedExecution } from '@/lib/kudo/plan/acted-upon';
import { type NextAction, nextAction } from '@/lib/kudo/plan/next-action';
import type { ExecutionStatus, Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/upkeep/inventory';
import { decideAtDoor } from './decide-at-door';

const NOW = '2026-01-01T00:00:00Z';
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
const versions = { sent: operatorVersion, stored: operatorVersion, actedUpon: operatorVersion };

interface Given {
  readonly parameters?: { [name: string]: string };
  readonly execution?: PlanExecution;
  /** What the record says; absent: the parameters above. */
  readonly seen?: { [name: string]: string };
  readonly begun?: Partial<RecordedExecution>;
  readonly plans?: { [plan: string]: [ExecutionStatus, string] };
}

/** An Instance that was deployed under `d0`, unless more is said. */
function stored({ parameters = {}, execution = {}, seen = parameters, begun = {}, plans }: Given = {}): Instance {
  const record = { plan: 'deploy', uid: 'd0', startedAt: NOW, ...begun };
  const spec = { operatorVersion: { name: 'v1' }, parameters };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'i',
      namespace: 'n',
      annotations: {
        [ACTED_UPON_ANNOTATION]: formatActedUpon({ spec: { ...spec, parameters: seen } }, record),
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

const running: Given = {
  execution: { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' },
  begun: { uid: 'd1' },
  plans: { deploy: ['IN_PROGRESS', 'd1'] },
};

function edited(before: Instance, change: (instance: Instance) => void): Instance {
  const sent = cloneJson(before);
  change(sent);
  return sent;
}

const set = (parameters: { [name: string]: string }) => (instance: Instance) => {
  instance.spec = { ...instance.spec, parameters: { ...instance.spec?.parameters, ...parameters } };
};
const execute = (planExecution: PlanExecution) => (instance: Instance) => {
  instance.spec = { ...instance.spec, planExecution };
};

const atDoor = (before: Instance | undefined, sent: Instance) =>
  decideAtDoor({
    operation: before === undefined ? 'CREATE' : 'UPDATE',
    stored: before,
    sent,
    versions,
    newUid: 'new',
    now: NOW,
  });

/** What the API stores. */
function pass(before: Instance | undefined, sent: Instance): Instance {
  const decision = atDoor(before, sent);
  expect(decision).toMatchObject({ outcome: expect.stringMatching(/^allowed/) });
  return decision.instance ?? sent;
}

const next = (instance: Instance): NextAction =>
  nextAction({ instance, operatorVersion, actedUponVersion: operatorVersion, newUid: 'controller' });

describe('the door of the API', () => {
  it('writes the record with the edit that starts a plan, and the controller begins exactly that', () => {
    const after = pass(stored(), edited(stored(), set({ B: '1' })));
    expect(after.spec?.planExecution).toEqual({ planName: 'backup', uid: 'new', status: 'NEVER_RUN' });
    expect(actedUpon(after)).toMatchObject({ parameters: { B: '1' }, plan: 'backup', uid: 'new', startedAt: NOW });
    expect(next(after)).toMatchObject({ do: 'start', scheduled: { plan: 'backup', uid: 'new' } });
  });

  it('lets nobody else write the record, nor take it away', () => {
    const before = stored();
    const forged = edited(before, (sent) => {
      sent.metadata.annotations = { [ACTED_UPON_ANNOTATION]: '{"parameters":{"FIXED":"y"}}', a: 'b' };
    });
    expect(pass(before, forged).metadata.annotations).toEqual({ ...before.metadata.annotations, a: 'b' });
    const bare = edited(before, (sent) => {
      delete sent.metadata.annotations;
      set({ B: '1' })(sent);
    });
    expect(actedUpon(pass(before, bare))).toMatchObject({ plan: 'backup', parameters: { B: '1' } });
    const hidden = edited(before, (sent) => {
      set({ FIXED: 'y' })(sent);
      sent.metadata.annotations = { [ACTED_UPON_ANNOTATION]: formatActedUpon(sent) };
    });
    expect(atDoor(before, hidden)).toMatchObject({ outcome: 'denied', rule: 'check3' });
  });

  it('takes a record in a new object for a copy of another Instance', () => {
    const copy = stored({ parameters: { A: '1' } });
    const after = pass(undefined, copy);
    expect(after.spec?.planExecution).toEqual({ planName: 'deploy', uid: 'new' });
    expect(actedUpon(after)).toMatchObject({ plan: 'deploy', uid: 'new', parameters: { A: '1', FIXED: 'x' } });
  });

  it('keeps the inventory of what a plan left, and lets no copy have it', () => {
    const inventory = { [INVENTORY_ANNOTATION]: '{"objects":[]}' };
    const before = edited(stored(), (one) => void Object.assign(one.metadata.annotations ?? {}, inventory));
    for (const change of [set({ B: '1' }), () => undefined]) {
      const bare = edited(before, (sent) => {
        delete sent.metadata.annotations;
        change(sent);
      });
      expect(pass(before, bare).metadata.annotations).toMatchObject(inventory);
    }
    expect(pass(undefined, before).metadata.annotations).not.toHaveProperty([INVENTORY_ANNOTATION]);
    const renewed = edited(
      before,
      (sent) => void Object.assign(sent.metadata.annotations ?? {}, { [INVENTORY_ANNOTATION]: '{}' }),
    );
    expect(pass(before, renewed)).toEqual(renewed);
  });

  it('counts an edit that was stored while nobody was asked into the next one', () => {
    const unseen = stored({ parameters: { B: '1' }, seen: {} });
    expect(atDoor(unseen, edited(unseen, set({ C: '1' })))).toMatchObject({ outcome: 'denied', rule: 'check5' });
    const same = pass(unseen, edited(unseen, set({ B: '2' })));
    expect(same.spec?.planExecution).toMatchObject({ planName: 'backup', uid: 'new' });
  });

  it('lets an edit that would have been refused be taken back', () => {
    const unseen = stored({ parameters: { FIXED: 'y' }, seen: { FIXED: 'x' } });
    const back = pass(unseen, edited(unseen, set({ FIXED: 'x' })));
    expect(next(back).do).toBe('rest');
    expect(atDoor(unseen, edited(unseen, set({ B: '1' })))).toMatchObject({ outcome: 'denied', rule: 'check3' });
  });

  it('ADM-17 ADM-18 empties planExecution at once when a person writes its end, and the controller ends the plan', () => {
    for (const status of ['COMPLETE', 'FATAL_ERROR'] as const) {
      const before = stored(running);
      const after = pass(before, edited(before, execute({ planName: 'deploy', uid: 'd1', status })));
      expect(after.spec?.planExecution).toEqual({});
      expect(next(after)).toEqual({ do: 'abandon', scheduled: { plan: 'deploy', uid: 'd1' }, status });
      after.status = { planStatus: { deploy: { name: 'deploy', uid: 'd1', status } } };
      expect(next(after).do).toBe('rest');
    }
  });

  it('does not look at a status that was sent with a write of the spec', () => {
    const before = stored();
    const sent = edited(before, set({ B: '1' }));
    sent.status = {};
    expect(pass(before, sent)).toMatchObject({ status: {}, spec: { planExecution: { planName: 'backup' } } });
  });
});

/** As server/controller/reconcile writes it; undefined for what it does not write to the spec. */
function writeOf(before: Instance, action: NextAction): Instance | undefined {
  switch (action.do) {
    case 'start':
      return edited(action.instance, (sent) => {
        execute({ planName: action.scheduled.plan, uid: action.scheduled.uid, status: 'IN_PROGRESS' })(sent);
        const text = formatActedUpon(sent, { ...action.scheduled, startedAt: NOW });
        sent.metadata.annotations = { ...sent.metadata.annotations, [ACTED_UPON_ANNOTATION]: text };
      });
    case 'clear':
      return edited(before, execute({}));
    case 'restore': {
      const { scheduled } = action;
      return edited(
        before,
        execute(scheduled === undefined ? {} : { planName: scheduled.plan, uid: scheduled.uid, status: 'IN_PROGRESS' }),
      );
    }
    case 'record':
      return edited(before, (sent) => {
        const { planName: plan = '', uid = '' } = sent.spec?.planExecution ?? {};
        const text = formatActedUpon(sent, plan === '' ? undefined : { plan, uid, startedAt: NOW });
        sent.metadata.annotations = { ...sent.metadata.annotations, [ACTED_UPON_ANNOTATION]: text };
      });
    case 'release':
      return edited(before, (sent) => {
        delete sent.metadata.finalizers;
      });
    default:
      return undefined;
  }
}

const EXECUTIONS: readonly PlanExecution[] = [
  {},
  { planName: 'deploy', uid: 'd1', status: 'IN_PROGRESS' },
  { planName: 'deploy', uid: 'd1', status: 'COMPLETE' },
  { planName: 'deploy', uid: 'd2', status: 'NEVER_RUN' },
  { planName: 'deploy' },
  { planName: 'backup', uid: 'b1', status: 'NEVER_RUN' },
  { planName: 'cleanup', uid: 'c1', status: 'IN_PROGRESS' },
  { planName: 'gone', uid: 'g1' },
];
const EDITS: readonly { [name: string]: string }[] = [
  {},
  { A: '1' },
  { B: '1' },
  { A: '1', B: '1' },
  { B: '1', C: '1' },
  { FIXED: 'y' },
];
const STATUSES: readonly Given['plans'][] = [
  undefined,
  { deploy: ['IN_PROGRESS', 'd1'] },
  { deploy: ['COMPLETE', 'd1'] },
  { deploy: ['FATAL_ERROR', 'd1'] },
  { deploy: ['COMPLETE', 'd0'], cleanup: ['COMPLETE', 'c1'] },
];

/** Every state that edits by hand, crashes and outages of either door can leave. */
function* states(): Generator<Instance> {
  for (const execution of EXECUTIONS) {
    for (const parameters of EDITS) {
      for (const plans of STATUSES) {
        for (const uid of ['d0', 'd1']) {
          for (const deleting of [false, true]) {
            const given: Given = {
              execution,
              parameters,
              seen: {},
              begun: { uid },
              ...(plans === undefined ? {} : { plans }),
            };
            yield edited(stored(given), (instance) => {
              if (plans === undefined) delete instance.status;
              if (deleting) instance.metadata.deletionTimestamp = NOW;
            });
          }
        }
      }
    }
  }
}

describe('the door and the controller', () => {
  it('T-17 every step of the controller passes as it was written, from every state', () => {
    let steps = 0;
    const stopped: unknown[] = [];
    for (const state of states()) {
      for (const before of [state, edited(state, (one) => void delete one.metadata.annotations)]) {
        const action = next(before);
        const sent = writeOf(before, action);
        if (sent === undefined) continue;
        steps++;
        const decision = atDoor(before, sent);
        if (decision.outcome !== 'allowed') stopped.push({ before, action, decision });
      }
    }
    expect(stopped).toEqual([]);
    expect(steps).toBeGreaterThan(300);
  });

  it.each<[string, Given, (instance: Instance) => void]>([
    ['ADM-20 a parameter', {}, set({ A: '1' })],
    ['ADM-24 a parameter with a trigger', {}, set({ B: '1' })],
    ['ADM-26 two triggers', {}, set({ B: '1', C: '1' })],
    ['ADM-32 an unknown parameter', {}, set({ Z: '1' })],
    ['ADM-35 an immutable parameter', { parameters: { FIXED: 'x' } }, set({ FIXED: 'y' })],
    ['ADM-10 a plan', {}, execute({ planName: 'backup', uid: 'u', status: 'NEVER_RUN' })],
    ['ADM-11 a plan that is not there', {}, execute({ planName: 'zip', uid: 'u' })],
    ['ADM-12 cleanup', {}, execute({ planName: 'cleanup', uid: 'u' })],
    ['ADM-13 the running plan again', running, execute({ planName: 'deploy', uid: 'u' })],
    ['ADM-15 another plan while one runs', running, execute({ planName: 'backup', uid: 'u' })],
    ['ADM-16 no plan while one runs', running, execute({})],
    [
      'ADM-31 a plan and a parameter',
      {},
      (sent) => {
        set({ A: '1' })(sent);
        execute({ planName: 'backup' })(sent);
      },
    ],
  ])('come to the same end about %s, whoever was asked', (_what, given, change) => {
    const before = stored(given);
    const sent = edited(before, change);
    const asked = atDoor(before, sent);
    const unasked = next(sent);
    expect([unasked.do, 'scheduled' in unasked ? unasked.scheduled?.plan : undefined]).toEqual(
      asked.outcome === 'denied'
        ? [expect.stringMatching(/^(refuse|restore)$/), given.execution?.planName]
        : ['start', asked.plan],
    );
    if (asked.outcome === 'denied') expect('message' in unasked && unasked.message).toBe(asked.message);
  });
});
