import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import { activePlan, activePlanName, currentStep, newestPlan, plansOf, planView } from './plan-view';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'db-1.0.0', namespace: 'demo' },
  spec: {
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [
          { name: 'prepare', strategy: 'serial', steps: [{ name: 'config', tasks: ['config'] }] },
          { name: 'nodes', steps: [{ name: 'start', tasks: ['nodes'] }, { name: 'check' }] },
        ],
      },
      backup: { phases: [{ name: 'copy', steps: [{ name: 'dump' }] }] },
    },
  },
};

const running: PlanStatus = {
  name: 'deploy',
  status: 'IN_PROGRESS',
  uid: 'u1',
  lastUpdatedTimestamp: '2026-01-01T10:00:00Z',
  phases: [
    { name: 'prepare', status: 'COMPLETE', steps: [{ name: 'config', status: 'COMPLETE' }] },
    {
      name: 'nodes',
      status: 'IN_PROGRESS',
      steps: [
        {
          name: 'start',
          status: 'IN_PROGRESS',
          message: 'StatefulSet db: 0 of 1 ready',
          startedTimestamp: '2026-01-01T09:59:00Z',
        },
        { name: 'check', status: 'PENDING' },
      ],
    },
  ],
};

function instance(parts: Pick<Instance, 'spec' | 'status'>): Instance {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'db', namespace: 'demo' }, ...parts };
}

describe('the strategy of a phase', () => {
  const strategies = (known: OperatorVersion | undefined) =>
    planView('deploy', running, known).phases.map(({ serial }) => serial);

  it('is the one of the OperatorVersion, where no strategy means parallel', () => {
    expect(strategies(version)).toEqual([true, false]);
  });

  it('is unknown without the OperatorVersion', () => {
    expect(strategies(undefined)).toEqual([undefined, undefined]);
  });
});

describe('a plan that another one replaced', () => {
  it('is cancelled although its status says running', () => {
    const object = instance({
      spec: { operatorVersion: { name: 'db-1.0.0' }, planExecution: { planName: 'cleanup', uid: 'u2' } },
      status: { planStatus: { deploy: running, cleanup: { name: 'cleanup', status: 'IN_PROGRESS', uid: 'u2' } } },
    });
    const plans = plansOf(object, version);
    expect(plans.map(({ name, status }) => [name, status])).toEqual([
      ['deploy', 'cancelled'],
      ['backup', 'NEVER_RUN'],
      ['cleanup', 'IN_PROGRESS'],
    ]);
    expect(plansOf(object, version, { isDeleted: true }).map(({ status }) => status)).toEqual([
      'cancelled',
      'NEVER_RUN',
      'cancelled',
    ]);
    const [prepare, nodes] = plans[0]?.phases ?? [];
    expect([prepare?.status, nodes?.status]).toEqual(['COMPLETE', 'cancelled']);
    expect(nodes?.steps.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('planView', () => {
  it('joins the structure of the version with the state of the Instance', () => {
    const view = planView('deploy', running, version);
    expect(view.serial).toBe(true);
    expect(view.phases.map(({ serial }) => serial)).toEqual([true, false]);
    expect([view.doneSteps, view.totalSteps]).toEqual([1, 3]);
    expect(view.phases[1]?.steps[0]).toEqual({
      name: 'start',
      status: 'IN_PROGRESS',
      message: 'StatefulSet db: 0 of 1 ready',
      startedAt: '2026-01-01T09:59:00Z',
      tasks: ['nodes'],
    });
  });

  it('shows a plan without status as never run', () => {
    expect(planView('backup', undefined, version).phases[0]?.steps[0]?.status).toBe('NEVER_RUN');
  });

  it('keeps phases and steps that only the status names', () => {
    const view = planView('deploy', running, undefined);
    expect(view.phases.flatMap((phase) => phase.steps.map((step) => step.name))).toEqual(['config', 'start', 'check']);
  });
});

describe('activePlanName', () => {
  it('is the plan in planExecution while it runs', () => {
    const spec = { planExecution: { planName: 'deploy', uid: 'u1' } };
    expect(activePlanName(instance({ spec, status: { planStatus: { deploy: running } } }))).toBe('deploy');
  });

  it('is undefined when that run has ended', () => {
    const spec = { planExecution: { planName: 'deploy', uid: 'u1' } };
    const ended: PlanStatus = { ...running, status: 'COMPLETE' };
    expect(activePlanName(instance({ spec, status: { planStatus: { deploy: ended } } }))).toBeUndefined();
  });

  it('is a new run although the previous one has ended', () => {
    const spec = { planExecution: { planName: 'deploy', uid: 'u2' } };
    const ended: PlanStatus = { ...running, status: 'FATAL_ERROR' };
    expect(activePlanName(instance({ spec, status: { planStatus: { deploy: ended } } }))).toBe('deploy');
  });

  it('is a running plan that the spec does not name', () => {
    expect(activePlanName(instance({ spec: {}, status: { planStatus: { deploy: running } } }))).toBe('deploy');
  });
});

describe('activePlan', () => {
  it('shows a scheduled run as queued, not as the result of the previous run', () => {
    const spec = { planExecution: { planName: 'deploy', uid: 'u2', status: 'NEVER_RUN' as const } };
    const ended: PlanStatus = { ...running, status: 'COMPLETE' };
    const view = activePlan(instance({ spec, status: { planStatus: { deploy: ended } } }), version);
    expect(view?.status).toBe('PENDING');
    expect(new Set(view?.phases.flatMap((phase) => phase.steps.map((step) => step.status)))).toEqual(
      new Set(['PENDING']),
    );
    expect(view?.doneSteps).toBe(0);
  });
});

describe('newestPlan', () => {
  it('is the plan that changed last, whatever its result', () => {
    const backup: PlanStatus = { status: 'FATAL_ERROR', lastUpdatedTimestamp: '2026-01-02T10:00:00Z' };
    const status = { planStatus: { deploy: { ...running, status: 'COMPLETE' as const }, backup, restore: {} } };
    expect(newestPlan(instance({ status }), version)?.name).toBe('backup');
  });

  it('is the cleanup of an Instance that is being deleted, also when it ended in the same second as another plan', () => {
    const ended: PlanStatus = { status: 'FATAL_ERROR', lastUpdatedTimestamp: '2026-01-02T10:00:00Z' };
    const given = instance({ status: { planStatus: { deploy: ended, cleanup: ended } } });
    const deleted = { ...given, metadata: { ...given.metadata, deletionTimestamp: '2026-01-02T09:00:00Z' } };
    expect(newestPlan(given, version)?.name).toBe('deploy');
    expect(newestPlan(deleted, version)?.name).toBe('cleanup');
  });

  it('is undefined when none ever ran', () => {
    expect(
      newestPlan(instance({ status: { planStatus: { backup: { status: 'NEVER_RUN' } } } }), version),
    ).toBeUndefined();
  });
});

describe('currentStep', () => {
  it('is the step that runs', () => {
    expect(currentStep(planView('deploy', running, version))?.step.name).toBe('start');
  });

  it('is a step that failed before any that runs', () => {
    const phases = [
      {
        name: 'nodes',
        steps: [
          { name: 'start', status: 'IN_PROGRESS' as const },
          { name: 'check', status: 'FATAL_ERROR' as const },
        ],
      },
    ];
    expect(currentStep(planView('deploy', { status: 'FATAL_ERROR', phases }, version))?.step.name).toBe('check');
  });
});

describe('plansOf', () => {
  it('lists the plans of the version first, then those that only the status names', () => {
    const status = { planStatus: { gone: {}, backup: {} } };
    expect(plansOf(instance({ status }), version).map(({ name }) => name)).toEqual(['deploy', 'backup', 'gone']);
  });
});
