import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import { PLAN_SCHEDULES } from '@/lib/kudo/schedules/plan-schedule';
import { OPERATOR_SUBSCRIPTIONS } from '@/lib/kudo/upgrades/operator-subscription';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';
import { instanceSpecSchema, instanceStatusSchema } from './instance-schema';
import { operatorSubscriptionSpecSchema, operatorSubscriptionStatusSchema } from './operator-subscription-schema';
import { operatorUpgradeSpecSchema, operatorUpgradeStatusSchema } from './operator-upgrade-schema';
import { operatorVersionSpecSchema } from './operator-version-schema';
import { planApprovalSpecSchema, planApprovalStatusSchema } from './plan-approval-schema';
import { planRunSpecSchema, planRunStatusSchema } from './plan-run-schema';
import { planScheduleSpecSchema, planScheduleStatusSchema } from './plan-schedule-schema';
import { list, object, string } from './schema-words';

/** The group, version and plural names of KUDO's three kinds. */
export const OPERATORS = { group: 'kudo.dev', version: 'v1beta1', resource: 'operators' } as const;
export const OPERATOR_VERSIONS = { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions' } as const;
export const INSTANCES = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' } as const;

/**
 * The three CustomResourceDefinitions, `apiextensions.k8s.io/v1`: KUDO 0.19's schema field by field (config/crds/*.yaml),
 * and more only where an older object stays valid: printer columns for Instances, and `nullable` where Go writes null.
 */
export function kudoCrds(): KubeObject[] {
  return [
    crd({ kind: 'Operator', plural: 'operators', singular: 'operator', schema: operatorSchema() }),
    crd({
      kind: 'OperatorVersion',
      plural: 'operatorversions',
      singular: 'operatorversion',
      schema: topLevel('OperatorVersion is one version of an operator: its templates, tasks, parameters and plans.', {
        spec: operatorVersionSpecSchema(),
        status: object('Never written.', {}),
      }),
    }),
    crd({
      kind: 'Instance',
      plural: 'instances',
      singular: 'instance',
      schema: topLevel('Instance is one deployment of an OperatorVersion.', {
        spec: instanceSpecSchema(),
        status: instanceStatusSchema(),
      }),
      columns: INSTANCE_COLUMNS,
      subresources: { status: {} },
    }),
  ];
}

/** The definitions of our own kinds, which a controller installs beside KUDO's and can do without. */
export function bravoCrds(): KubeObject[] {
  return [
    crd({
      group: PLAN_RUNS.group,
      version: PLAN_RUNS.version,
      kind: 'PlanRun',
      plural: 'planruns',
      singular: 'planrun',
      schema: topLevel('PlanRun is the record of one execution of a plan, and how it is steered.', {
        spec: planRunSpecSchema(),
        status: planRunStatusSchema(),
      }),
      columns: PLAN_RUN_COLUMNS,
      subresources: { status: {} },
    }),
    crd({
      group: PLAN_SCHEDULES.group,
      version: PLAN_SCHEDULES.version,
      kind: 'PlanSchedule',
      plural: 'planschedules',
      singular: 'planschedule',
      schema: topLevel('PlanSchedule starts a plan of an Instance at the times of a cron expression.', {
        spec: planScheduleSpecSchema(),
        status: planScheduleStatusSchema(),
      }),
      columns: PLAN_SCHEDULE_COLUMNS,
      subresources: { status: {} },
    }),
    crd({
      group: PLAN_APPROVALS.group,
      version: PLAN_APPROVALS.version,
      kind: 'PlanApproval',
      plural: 'planapprovals',
      singular: 'planapproval',
      schema: topLevel('PlanApproval asks a second person to approve one start of a plan.', {
        spec: planApprovalSpecSchema(),
        status: planApprovalStatusSchema(),
      }),
      columns: PLAN_APPROVAL_COLUMNS,
      subresources: { status: {} },
    }),
    crd({
      group: OPERATOR_UPGRADES.group,
      version: OPERATOR_UPGRADES.version,
      kind: 'OperatorUpgrade',
      plural: 'operatorupgrades',
      singular: 'operatorupgrade',
      schema: topLevel('OperatorUpgrade upgrades Instances of one operator, or runs a plan on them, in waves.', {
        spec: operatorUpgradeSpecSchema(),
        status: operatorUpgradeStatusSchema(),
      }),
      columns: OPERATOR_UPGRADE_COLUMNS,
      subresources: { status: {} },
    }),
    crd({
      group: OPERATOR_SUBSCRIPTIONS.group,
      version: OPERATOR_SUBSCRIPTIONS.version,
      kind: 'OperatorSubscription',
      plural: 'operatorsubscriptions',
      singular: 'operatorsubscription',
      schema: topLevel(
        'OperatorSubscription follows a channel of a repository, and upgrades Instances of one operator.',
        {
          spec: operatorSubscriptionSpecSchema(),
          status: operatorSubscriptionStatusSchema(),
        },
      ),
      columns: OPERATOR_SUBSCRIPTION_COLUMNS,
      subresources: { status: {} },
    }),
  ];
}

const PLAN_RUN_COLUMNS: JsonObject[] = [
  column('Instance', 'string', '.spec.instanceName', 'The Instance'),
  column('Plan', 'string', '.spec.plan', 'The plan'),
  column('Why', 'string', '.spec.cause', 'Why it began'),
  column('Who', 'string', '.spec.requestedBy', 'Who asked for it'),
  column('Status', 'string', '.status.status', 'How far it is'),
  column('Started', 'date', '.status.startedAt', 'When it began'),
  column('Finished', 'date', '.status.finishedAt', 'When it ended'),
  { ...column('Reason', 'string', '.spec.reason', 'Why, in the words of the person'), priority: 1 },
  { ...column('Message', 'string', '.status.message', 'How it failed, or why it is paused'), priority: 1 },
];

const PLAN_SCHEDULE_COLUMNS: JsonObject[] = [
  column('Instance', 'string', '.spec.instanceName', 'The Instance'),
  column('Plan', 'string', '.spec.plan', 'The plan'),
  column('Schedule', 'string', '.spec.schedule', 'When it starts, as a cron expression'),
  column('Zone', 'string', '.spec.timeZone', 'The time zone of the expression; UTC when empty'),
  column('Suspended', 'boolean', '.spec.suspend', 'Whether no slot counts'),
  column('Last slot', 'date', '.status.lastSlot', 'The last slot that is done'),
  column('Next slot', 'string', '.status.next[0]', 'The next slot, in UTC'),
  column('Missed', 'integer', '.status.missed', 'How many slots had no run'),
  { ...column('Last run', 'string', '.status.lastRun', 'The PlanRun of the last start'), priority: 1 },
  { ...column('Problem', 'string', '.status.problem', 'Why the last slot had no run'), priority: 1 },
];

const PLAN_APPROVAL_COLUMNS: JsonObject[] = [
  column('Instance', 'string', '.spec.instanceName', 'The Instance'),
  column('Plan', 'string', '.spec.plan', 'The plan'),
  column('Asked by', 'string', '.spec.requestedBy', 'Who asked'),
  column('Approved by', 'string', '.status.approvedBy', 'Who approved'),
  column('Rejected by', 'string', '.status.rejectedBy', 'Who rejected'),
  column('Used', 'date', '.status.usedAt', 'When a plan was started with it'),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since it was asked for'),
  { ...column('Reason', 'string', '.spec.reason', 'Why, in the words of the person'), priority: 1 },
];

const OPERATOR_UPGRADE_COLUMNS: JsonObject[] = [
  column('Operator', 'string', '.spec.operator', 'The operator'),
  column('Phase', 'string', '.status.phase', 'How far it is'),
  column('Wave', 'integer', '.status.wave', 'The wave that moves now'),
  column('Waves', 'integer', '.status.waves', 'How many waves there are'),
  column('Upgraded', 'integer', '.status.upgraded', 'How many Instances have the last version'),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since it was created'),
  { ...column('Message', 'string', '.status.message', 'What it waits for, or how it ended'), priority: 1 },
];

const OPERATOR_SUBSCRIPTION_COLUMNS: JsonObject[] = [
  column('Operator', 'string', '.spec.operator', 'The operator'),
  column('Channel', 'string', '.spec.channel', 'The channel; stable when empty'),
  column('Approval', 'string', '.spec.approval', 'Whether a person approves each version; Manual when empty'),
  column('Available', 'string', '.status.available', 'The newest version of the channel'),
  column('Upgrade', 'string', '.status.upgrade', 'The OperatorUpgrade that was created last'),
  column('Checked', 'date', '.status.checkedAt', 'When the repository was asked last'),
  { ...column('Held by', 'string', '.status.heldBy', 'Why no upgrade is under way'), priority: 1 },
  { ...column('Problem', 'string', '.status.problem', 'Why the last check failed'), priority: 1 },
];

const INSTANCE_COLUMNS: JsonObject[] = [
  column('Operator', 'string', '.metadata.labels.kudo\\.dev/operator', 'The operator'),
  column('Version', 'string', '.spec.operatorVersion.name', 'The OperatorVersion'),
  column('Plan', 'string', '.spec.planExecution.planName', 'The plan that is scheduled or runs'),
  column('Status', 'string', '.spec.planExecution.status', 'The status of that plan'),
  column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status', 'Whether its resources are healthy'),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since it was created'),
];

function column(name: string, type: string, jsonPath: string, description: string): JsonObject {
  return { name, type, jsonPath, description };
}

interface CrdOptions {
  group?: string;
  version?: string;
  kind: string;
  plural: string;
  singular: string;
  schema: JsonObject;
  columns?: JsonObject[];
  subresources?: JsonObject;
}

function crd(options: CrdOptions): KubeObject {
  const { kind, plural, singular, group = 'kudo.dev', version = 'v1beta1' } = options;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(group === 'kudo.dev' ? { annotations: { 'controller-gen.kubebuilder.io/version': 'v0.4.1' } } : {}),
      labels: { 'app.kubernetes.io/part-of': 'bravo' },
    },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: options.schema },
          ...(options.columns === undefined ? {} : { additionalPrinterColumns: options.columns }),
          ...(options.subresources === undefined ? {} : { subresources: options.subresources }),
        },
      ],
    },
  };
}

function operatorSchema(): JsonObject {
  const maintainer = object('', { name: string(), email: string() });
  return topLevel('Operator describes an operator; its OperatorVersions hold what it does.', {
    spec: object('', {
      description: string(),
      kudoVersion: string('The least version of KUDO that the operator was made for.'),
      kubernetesVersion: string('The least version of Kubernetes.'),
      maintainers: list(maintainer, 'Who looks after it.'),
      url: string(),
      namespaceManifest: string('The template of the namespace that an install may create.'),
    }),
    status: object('Never written.', {}),
  });
}

function topLevel(description: string, properties: JsonObject): JsonObject {
  return object(description, {
    apiVersion: string('The version of the schema of this object.'),
    kind: string('The kind of this object.'),
    metadata: { type: 'object' },
    ...properties,
  });
}
