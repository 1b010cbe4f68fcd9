import { arrayAt, getAt, type JsonObject, stringAt } from '@/lib/json/json';
import { type AccessQuestion, accessTo } from '../access';
import { type GroupVersionResource, type KubeObject, kindOf, nameOf, namespaceOf } from '../object';
import type { FieldPath } from '../ownership/set-fields';
import type { ResourcePath } from '../path';
import { cronJobJob, newJobName, rerunJob } from './new-jobs';

/** One write to the Kubernetes API. A merge patch, or a new object. */
export interface WorkloadWrite {
  readonly method: 'POST' | 'PATCH';
  readonly path: ResourcePath;
  readonly body: JsonObject;
}

/** The actions of an object that need no more than its name; `scale` needs a number too. */
export type WorkloadActionId =
  | 'restart'
  | 'scale'
  | 'pause'
  | 'resume'
  | 'suspend'
  | 'unsuspend'
  | 'trigger'
  | 'rerun'
  | 'cordon'
  | 'uncordon'
  | 'drain';

/** An action of an object: what it is called, what it does, and why not now. */
export interface WorkloadAction {
  readonly id: WorkloadActionId;
  /** On the button: `Restart`. */
  readonly label: string;
  /** What happens, as a sentence. */
  readonly effect: string;
  /** The fields of the object that it sets; empty for an action that makes a new object. */
  readonly fields: readonly FieldPath[];
  /** The right that it needs. */
  readonly right: AccessQuestion;
  /** Why the state of the object does not allow it. */
  readonly block: string | undefined;
}

/** The annotation by which `kubectl rollout restart` restarts. */
export const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
const RESTART_FIELD: FieldPath = ['spec', 'template', 'metadata', 'annotations', RESTARTED_AT];

/**
 * The actions that fit an object, in the order in which they are shown.
 *
 * @param type its resource
 * @param replicas where it keeps its number of replicas; undefined when the API serves no `scale` of it
 */
export function workloadActions(
  object: KubeObject,
  type: GroupVersionResource,
  replicas: FieldPath | undefined,
): WorkloadAction[] {
  const build = BUILDERS[`${kindOf(object).group}/${object.kind}`] ?? (() => []);
  const patch = (subresource = '') =>
    accessTo('patch', { ...type, resource: `${type.resource}${subresource}` }, namespaceOf(object));
  const actions = build(object, patch());
  const scale: WorkloadAction[] =
    replicas === undefined
      ? []
      : [
          {
            id: 'scale',
            label: 'Scale',
            effect: 'The number of replicas changes.',
            fields: [replicas],
            right: patch('/scale'),
            block: undefined,
          },
        ];
  const leaving = object.metadata.deletionTimestamp === undefined ? undefined : `${nameText(object)} is being deleted.`;
  return [...scale, ...actions].map((action) => ({ ...action, block: leaving ?? action.block }));
}

type Build = (object: KubeObject, patch: AccessQuestion) => WorkloadAction[];

const BUILDERS: { readonly [groupKind: string]: Build } = {
  'apps/Deployment': (object, right) => [restart(object, right), pauseOrResume(object, right)],
  'apps/StatefulSet': (object, right) => [restart(object, right)],
  'apps/DaemonSet': (object, right) => [restart(object, right)],
  'batch/Job': jobActions,
  'batch/CronJob': cronJobActions,
  '/Node': nodeActions,
};

function restart(object: KubeObject, right: AccessQuestion): WorkloadAction {
  const isPaused = getAt(object, 'spec', 'paused') === true;
  const isByHand = stringAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  return {
    id: 'restart',
    label: 'Restart',
    effect: isByHand
      ? `The pod template gets a new annotation. The update strategy is OnDelete: each pod restarts when it is deleted.`
      : `All pods are replaced step by step, as in an update (kubectl rollout restart).`,
    fields: [RESTART_FIELD],
    right,
    block: isPaused ? `The rollout of ${nameText(object)} is paused. Resume it first.` : undefined,
  };
}

function pauseOrResume(object: KubeObject, right: AccessQuestion): WorkloadAction {
  const isPaused = getAt(object, 'spec', 'paused') === true;
  return {
    id: isPaused ? 'resume' : 'pause',
    label: isPaused ? 'Resume rollout' : 'Pause rollout',
    effect: isPaused
      ? 'Changes of the pod template are rolled out again.'
      : 'Changes of the pod template wait until the rollout is resumed. Running pods stay.',
    fields: [['spec', 'paused']],
    right,
    block: undefined,
  };
}

function jobActions(object: KubeObject, right: AccessQuestion): WorkloadAction[] {
  const isOver = arrayAt(object, 'status', 'conditions').some(
    (each) => ['Complete', 'Failed'].includes(stringAt(each, 'type') ?? '') && stringAt(each, 'status') === 'True',
  );
  const rerun: WorkloadAction = {
    id: 'rerun',
    label: 'Run again',
    effect: 'A new Job with the same template starts. This Job stays as it is.',
    fields: [],
    right: { ...right, verb: 'create' },
    block:
      getAt(object, 'spec', 'manualSelector') === true
        ? `${nameText(object)} has a selector of its own (manualSelector): a second Job would count the same pods.`
        : undefined,
  };
  return isOver ? [rerun] : [rerun, suspendOrResume(object, right, 'Its running pods are deleted.')];
}

function cronJobActions(object: KubeObject, right: AccessQuestion): WorkloadAction[] {
  const trigger: WorkloadAction = {
    id: 'trigger',
    label: 'Run now',
    effect: 'A Job with the template of this CronJob starts now. The schedule does not change.',
    fields: [],
    right: { ...right, verb: 'create', resource: 'jobs' },
    block: undefined,
  };
  return [trigger, suspendOrResume(object, right, 'Jobs that run already go on.')];
}

function suspendOrResume(object: KubeObject, right: AccessQuestion, running: string): WorkloadAction {
  const isSuspended = getAt(object, 'spec', 'suspend') === true;
  const starts = object.kind === 'CronJob' ? 'Jobs' : 'Pods';
  return {
    id: isSuspended ? 'unsuspend' : 'suspend',
    label: isSuspended ? 'Resume' : 'Suspend',
    effect: isSuspended
      ? `${starts} are started again.`
      : `No ${starts} are started until ${nameText(object)} is resumed. ${running}`,
    fields: [['spec', 'suspend']],
    right,
    block: undefined,
  };
}

function nodeActions(object: KubeObject, right: AccessQuestion): WorkloadAction[] {
  const isCordoned = getAt(object, 'spec', 'unschedulable') === true;
  return [
    {
      id: isCordoned ? 'uncordon' : 'cordon',
      label: isCordoned ? 'Uncordon' : 'Cordon',
      effect: isCordoned
        ? 'New pods may be scheduled to this Node again.'
        : 'No new pods are scheduled to this Node. Running pods stay.',
      fields: [['spec', 'unschedulable']],
      right,
      block: undefined,
    },
    {
      id: 'drain',
      label: 'Drain…',
      effect: 'No new pods are scheduled to this Node, and its pods are evicted.',
      fields: [['spec', 'unschedulable']],
      right: accessTo('create', { group: '', resource: 'pods/eviction' }),
      block: undefined,
    },
  ];
}

/** What a person chose in the dialog of an action. */
export interface ActionChoice {
  /** For `scale`. */
  readonly replicas: number;
  /** For `trigger` and `rerun`: the name of the new Job. */
  readonly jobName: string;
  /** For `restart`: RFC 3339. */
  readonly now: string;
}

/** The write that does an action of an object; `drain` is many and has none here. */
export function workloadWrite(
  id: Exclude<WorkloadActionId, 'drain'>,
  object: KubeObject,
  type: GroupVersionResource,
  choice: ActionChoice,
): WorkloadWrite {
  const path = { ...type, namespace: namespaceOf(object), name: nameOf(object) };
  const job = { group: 'batch', version: 'v1', resource: 'jobs', namespace: namespaceOf(object) };
  const patchOf = (spec: JsonObject): WorkloadWrite => ({ method: 'PATCH', path, body: { spec } });
  switch (id) {
    case 'restart':
      return patchOf({ template: { metadata: { annotations: { [RESTARTED_AT]: choice.now } } } });
    case 'scale':
      return { ...patchOf({ replicas: choice.replicas }), path: { ...path, subresource: 'scale' } };
    case 'pause':
      return patchOf({ paused: true });
    case 'resume':
      return patchOf({ paused: null });
    case 'suspend':
      return patchOf({ suspend: true });
    case 'unsuspend':
      return patchOf({ suspend: false });
    case 'cordon':
      return patchOf({ unschedulable: true });
    case 'uncordon':
      return patchOf({ unschedulable: null });
    case 'trigger':
      return { method: 'POST', path: job, body: cronJobJob(object, choice.jobName) };
    case 'rerun':
      return { method: 'POST', path: job, body: rerunJob(object, choice.jobName) };
  }
}

/** The name that is offered for a new Job: of the object, with a suffix. */
export function offeredJobName(object: KubeObject, suffix: string): string {
  return newJobName(nameOf(object), suffix);
}

const SCALABLE = new Set(['apps/deployments', 'apps/statefulsets', 'apps/replicasets', '/replicationcontrollers']);

/**
 * Where an object keeps its number of replicas, when the API serves its `scale` subresource; undefined when it does not.
 *
 * @param definition its CustomResourceDefinition, for a custom resource
 */
export function replicasPath(type: GroupVersionResource, definition: KubeObject | undefined): FieldPath | undefined {
  if (SCALABLE.has(`${type.group}/${type.resource}`)) return ['spec', 'replicas'];
  const version = arrayAt(definition, 'spec', 'versions').find((each) => stringAt(each, 'name') === type.version);
  // `.spec.members`
  return stringAt(version, 'subresources', 'scale', 'specReplicasPath')?.split('.').filter(Boolean);
}

function nameText(object: KubeObject): string {
  return `${object.kind} ${nameOf(object)}`;
}
