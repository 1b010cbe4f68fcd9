import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import { DESTROY_VERB } from '@/lib/kudo/plan-metadata/destroy-verb';
import { topics } from '@/lib/live/topic';

/** What changing an Instance takes: edits and plans are patches of it. */
export const toChange = (namespace: string) => accessTo('patch', topics.instances, namespace);
/** Plans and parameters are defined in the OperatorVersion, which the server reads with the person's authority. */
export const toReadVersion = (namespace: string) => accessTo('get', topics.operatorVersions, namespace);
/** What a plan that is marked destructive takes beside them (docs/decisions/081). */
export const toDestroy = (namespace: string) => accessTo(DESTROY_VERB, topics.instances, namespace);
/** Asking a second person for a start, and being that person (docs/decisions/075). */
export const toAskApproval = (namespace: string) => accessTo('create', topics.planApprovals, namespace);
export const toApprove = (namespace: string) =>
  accessTo('patch', { ...topics.planApprovals, resource: `${topics.planApprovals.resource}/status` }, namespace);
export const toDelete = (namespace: string) => accessTo('delete', topics.instances, namespace);
/** The right to steer runs of a namespace. */
export const toSteer = (namespace: string) => accessTo('patch', topics.planRuns, namespace);
/** The right to create, patch or delete schedules of a namespace. */
export const toSchedule = (verb: 'create' | 'patch' | 'delete', namespace: string) =>
  accessTo(verb, topics.planSchedules, namespace);
/** The right to create or patch upgrades in waves, and subscriptions. */
export const toUpgrade = (verb: 'create' | 'patch', namespace: string) =>
  accessTo(verb, topics.operatorUpgradeRows, namespace);
export const toSubscribe = (verb: 'create' | 'patch' | 'delete', namespace: string) =>
  accessTo(verb, topics.operatorSubscriptions, namespace);
export const toApproveVersion = (namespace: string) =>
  accessTo('patch', { ...topics.operatorSubscriptions, resource: 'operatorsubscriptions/status' }, namespace);
/** Installing an operator of which nothing exists yet in the namespace. */
const toInstall = (namespace: string) =>
  [topics.operators, topics.operatorVersions, topics.instances].map((kind) => accessTo('create', kind, namespace));

/** What a person may do with operators. */
export type OperatorAction =
  | 'view'
  | 'edit parameters'
  | 'start plans'
  | 'start destructive plans'
  | 'steer runs'
  | 'ask for approvals'
  | 'approve'
  | 'create schedules'
  | 'edit schedules'
  | 'delete schedules'
  | 'install'
  | 'uninstall';

/** The rights that each action takes in a namespace, all of them. The OperatorVersion is in the same namespace. */
export const rightsByAction: { readonly [action in OperatorAction]: (namespace: string) => readonly AccessQuestion[] } =
  {
    view: (namespace) => [accessTo('list', topics.instances, namespace)],
    'edit parameters': (namespace) => [toChange(namespace), toReadVersion(namespace)],
    'start plans': (namespace) => [toChange(namespace), toReadVersion(namespace)],
    'start destructive plans': (namespace) => [toChange(namespace), toReadVersion(namespace), toDestroy(namespace)],
    'steer runs': (namespace) => [toSteer(namespace)],
    'ask for approvals': (namespace) => [toAskApproval(namespace)],
    approve: (namespace) => [toApprove(namespace)],
    'create schedules': (namespace) => [toSchedule('create', namespace)],
    'edit schedules': (namespace) => [toSchedule('patch', namespace)],
    'delete schedules': (namespace) => [toSchedule('delete', namespace)],
    install: toInstall,
    uninstall: (namespace) => [toDelete(namespace)],
  };
