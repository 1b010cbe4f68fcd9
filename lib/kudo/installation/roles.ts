import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { ADMIN_ROLE, DESTROY_VERB } from '@/lib/kudo/plan-metadata/destroy-verb';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import { PLAN_SCHEDULES } from '@/lib/kudo/schedules/plan-schedule';
import { OPERATOR_SUBSCRIPTIONS } from '@/lib/kudo/upgrades/operator-subscription';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const CHANGE = ['patch', 'update'];

type Kind = Pick<GroupVersionResource, 'group' | 'resource'>;

const rule = ({ group, resource }: Kind, verbs: readonly string[], subresource = '') => ({
  apiGroups: [group],
  resources: [`${resource}${subresource}`],
  verbs: [...verbs],
});

const KINDS = [
  ...[INSTANCES, OPERATORS, OPERATOR_VERSIONS],
  ...[PLAN_RUNS, PLAN_APPROVALS, PLAN_SCHEDULES, OPERATOR_UPGRADES, OPERATOR_SUBSCRIPTIONS],
];

const viewer = KINDS.map((kind) => rule(kind, READ));
const user = [
  ...viewer,
  // Parameters and plans are written to the Instance; a run is paused, cancelled and retried in its PlanRun.
  rule(INSTANCES, CHANGE),
  rule(PLAN_RUNS, CHANGE),
  rule(PLAN_APPROVALS, ['create']),
];
const admin = [
  ...user,
  // Schedules and upgrades start plans with the controller's authority, also destructive ones that they confirm.
  ...KINDS.map((kind) => rule(kind, WRITE)),
  rule(PLAN_APPROVALS, CHANGE, '/status'),
  // Who may patch the status of a subscription approves its versions.
  rule(OPERATOR_SUBSCRIPTIONS, CHANGE, '/status'),
  rule(INSTANCES, [DESTROY_VERB]),
];

/**
 * The ClusterRoles of people, each with what the one before has: view; edit parameters, start plans that are not marked destructive, steer
 * runs and ask for approvals; everything with operators. Kubernetes adds them to its own `view`, `edit` and `admin` (labels
 * `rbac.authorization.k8s.io/aggregate-to-…`), so that nobody has to bind them.
 */
export function bravoRoles(): KubeObject[] {
  return [
    clusterRole('bravo-viewer', 'view', viewer),
    clusterRole('bravo-user', 'edit', user),
    clusterRole(ADMIN_ROLE, 'admin', admin),
  ];
}

function clusterRole(name: string, into: string, rules: readonly ReturnType<typeof rule>[]): KubeObject {
  const labels = { 'app.kubernetes.io/part-of': 'bravo', [`rbac.authorization.k8s.io/aggregate-to-${into}`]: 'true' };
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules: [...rules],
  };
}
