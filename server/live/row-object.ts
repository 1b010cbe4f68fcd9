import { pick } from '@/lib/json/pick';
import type { KubeObject, ObjectMeta } from '@/lib/kube/object';
import { ownershipMarks } from '@/lib/kube/ownership/tool-owner';
import { OPERATOR_LABEL } from '@/lib/kudo/names';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import {
  isOver,
  PLAN_RUN_API_VERSION,
  type PlanRun,
  type RunPhase,
  type RunStep,
  type SteeringEntry,
} from '@/lib/kudo/runs/plan-run';
import { beganMs } from '@/lib/kudo/runs/run-words';
import { BACKUP_GOAL_ANNOTATION } from '@/lib/kudo/schedules/backup-health';
import { PLAN_SCHEDULE_API_VERSION, type PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import type { Instance, OperatorVersion, PlanStatus } from '@/lib/kudo/types';
import { OPERATOR_UPGRADE_API_VERSION, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';

export interface RowOptions {
  /** Of a PlanRun that is over also how its steps ended and how long they took: what the pages of its Instance compute usual times from. */
  readonly withSteps?: boolean;
}

/** Rows are small: a run with more steps than these has none in its row. */
const MOST_STEPS = 100;

/**
 * What lists show of an object that is presented already: of any kind its name, what distinguishes its versions, and the marks of tools that manage it; of an Instance
 * also its state; of a PlanRun how it is steered and how it ended; of a PlanSchedule when it starts and how its last slot
 * went; of an OperatorUpgrade all but its values; of an OperatorVersion also its plans. The given object is not changed.
 */
export function rowObject(object: KubeObject, { withSteps = false }: RowOptions = {}): KubeObject {
  const { apiVersion, kind } = object;
  const row = { apiVersion, kind, metadata: { ...pick(object.metadata, ROW_METADATA), ...ownershipMarks(object) } };
  if (kind === 'PlanRun' && apiVersion === PLAN_RUN_API_VERSION) return runRow(row, object as PlanRun, withSteps);
  if (kind === 'PlanSchedule' && apiVersion === PLAN_SCHEDULE_API_VERSION)
    return scheduleRow(row, object as PlanSchedule);
  if (kind === 'OperatorUpgrade' && apiVersion === OPERATOR_UPGRADE_API_VERSION)
    return upgradeRow(row, object as OperatorUpgrade);
  if (!apiVersion.startsWith('kudo.dev/')) return row;
  if (kind === 'Instance') return instanceRow(row, object as Instance);
  if (kind === 'OperatorVersion') return versionRow(row, object as OperatorVersion);
  return row;
}

const ROW_METADATA = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'] as const;

function instanceRow(row: KubeObject, { metadata, spec, status }: Instance): KubeObject {
  const operator = metadata.labels?.[OPERATOR_LABEL];
  const annotations = keptAnnotations(row, metadata, [ACTED_UPON_ANNOTATION, BACKUP_GOAL_ANNOTATION]);
  const plans = Object.entries(status?.planStatus ?? {}).filter(([, plan]) => plan.status !== 'NEVER_RUN');
  return {
    ...row,
    metadata: {
      ...row.metadata,
      ...(operator === undefined ? {} : { labels: { ...row.metadata.labels, [OPERATOR_LABEL]: operator } }),
      ...annotations,
    },
    spec: {
      ...(spec?.operatorVersion === undefined ? {} : { operatorVersion: spec.operatorVersion }),
      ...(spec?.planExecution === undefined ? {} : { planExecution: spec.planExecution }),
    },
    status: {
      ...(status?.conditions === undefined ? {} : { conditions: status.conditions }),
      planStatus: Object.fromEntries(plans.map(([name, plan]) => [name, planRow(plan)])),
    },
  } as KubeObject;
}

/** Without what happened in its phases and what changed, which only its page shows; of steering only who did what when. */
function runRow(row: KubeObject, { spec, status }: PlanRun, withSteps: boolean): KubeObject {
  const { phases = [], changes: _changes, steering = [], signature: _signature, ...own } = status ?? {};
  const rest = steering.length === 0 ? own : { ...own, steering: steering.map(steeringRow) };
  const count = phases.reduce((sum, { steps = [] }) => sum + steps.length, 0);
  if (!withSteps || !isOver(rest.status) || count === 0 || count > MOST_STEPS) return { ...row, spec, status: rest };
  return { ...row, spec, status: { ...rest, phases: phases.map(phaseRow) } };
}

/** Without the values that go with the moves. */
function upgradeRow(row: KubeObject, { spec, status }: OperatorUpgrade): KubeObject {
  const { parameters: _, ...rest } = spec ?? {};
  return { ...row, spec: rest, ...(status === undefined ? {} : { status }) } as KubeObject;
}

function steeringRow({ message: _message, ...entry }: SteeringEntry): SteeringEntry {
  return entry;
}

function phaseRow({ name, steps = [] }: RunPhase): RunPhase {
  const stepRow = ({ name: step, status, seconds }: RunStep): RunStep => ({
    ...(step === undefined ? {} : { name: step }),
    ...(status === undefined ? {} : { status }),
    ...(seconds === undefined ? {} : { seconds }),
  });
  return { ...(name === undefined ? {} : { name }), steps: steps.map(stepRow) };
}

/** Without its parameters and the history of its slots, which only its page shows. */
function scheduleRow(row: KubeObject, { spec, status }: PlanSchedule): KubeObject {
  const { parameters: _parameters, ...definition } = spec ?? {};
  const { history: _history, ...rest } = status ?? {};
  return { ...row, spec: definition, status: rest };
}

/** What a person looks for comes first: the newest runs; Instances whose plan failed or retries, then those where one runs. */
export function rowOrder(object: KubeObject): number {
  if (object.kind === 'PlanRun') return -beganMs(object as PlanRun);
  if (object.kind !== 'Instance') return 0;
  const plans = Object.values((object as Instance).status?.planStatus ?? {});
  if (plans.some(({ status }) => status === 'FATAL_ERROR' || status === 'ERROR')) return 0;
  return plans.some(({ status }) => status === 'IN_PROGRESS' || status === 'PENDING') ? 1 : 2;
}

/** Of a plan that is done, lists show only when. */
function planRow(plan: PlanStatus): PlanStatus {
  if (plan.status !== 'COMPLETE') return plan;
  const { phases: _, ...rest } = plan;
  return rest;
}

function versionRow(row: KubeObject, { metadata, spec }: OperatorVersion): KubeObject {
  const { templates: _templates, tasks: _tasks, parameters: _parameters, ...rest } = spec ?? {};
  const annotations = keptAnnotations(row, metadata, [BACKUP_GOAL_ANNOTATION]);
  return { ...row, metadata: { ...row.metadata, ...annotations }, spec: rest } as KubeObject;
}

/** With those that the row has already. Nothing when the object has none of them. */
function keptAnnotations(
  row: KubeObject,
  { annotations = {} }: ObjectMeta,
  names: readonly string[],
): Pick<ObjectMeta, 'annotations'> {
  const kept = Object.entries(annotations).filter(([name]) => names.includes(name));
  return kept.length === 0 ? {} : { annotations: { ...row.metadata.annotations, ...Object.fromEntries(kept) } };
}
