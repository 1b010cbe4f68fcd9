import type { GroupVersionKind, KubeObject } from '@/lib/kube/object';
import { toAutoscalingV2 } from './autoscaling';
import { toCrdV1 } from './crd';
import { toIngressV1 } from './ingress';
import {
  dropApiVersionOfSubjects,
  nameSharesNominal,
  nodeNameFromTopology,
  renameEventFields,
  selectNothing,
  signerName,
  unwrapRuntimeHandler,
} from './small-changes';
import { toWebhookV1 } from './webhook';
import { defaultSelector, dropTemplateGeneration, rollingUpdate } from './workload';

/** Changes an object in place; the result is a note for the person, when the meaning could differ. */
export type Change = (object: KubeObject) => string | undefined;

/** One row: a release of Kubernetes removed these versions of these kinds; `to` replaces them (undefined: nothing does). */
interface Row {
  readonly from: readonly string[];
  readonly kinds: readonly string[];
  readonly to: string | undefined;
  readonly since: string;
  readonly changes?: readonly Change[];
  readonly advice?: string;
}

export interface Move {
  readonly to: string | undefined;
  readonly since: string;
  readonly changes: readonly Change[];
  readonly advice?: string;
}

const OLD_APPS = ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'];
const RBAC = 'rbac.authorization.k8s.io';
const NETWORKING = 'networking.k8s.io';
const STORAGE = 'storage.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

const ROWS: readonly Row[] = [
  { from: OLD_APPS, kinds: ['Deployment', 'ReplicaSet'], to: 'apps/v1', since: '1.16', changes: [defaultSelector] },
  {
    from: OLD_APPS,
    kinds: ['StatefulSet', 'DaemonSet'],
    to: 'apps/v1',
    since: '1.16',
    changes: [defaultSelector, dropTemplateGeneration, rollingUpdate],
  },
  {
    from: ['apps/v1beta1', 'apps/v1beta2', 'apps/v1alpha1'],
    kinds: ['ControllerRevision'],
    to: 'apps/v1',
    since: '1.16',
  },
  { from: ['extensions/v1beta1'], kinds: ['NetworkPolicy'], to: `${NETWORKING}/v1`, since: '1.16' },
  {
    from: ['extensions/v1beta1', `${NETWORKING}/v1beta1`],
    kinds: ['Ingress'],
    to: `${NETWORKING}/v1`,
    since: '1.22',
    changes: [toIngressV1],
  },
  { from: [`${NETWORKING}/v1beta1`], kinds: ['IngressClass'], to: `${NETWORKING}/v1`, since: '1.22' },
  {
    from: ['policy/v1beta1'],
    kinds: ['PodDisruptionBudget'],
    to: 'policy/v1',
    since: '1.25',
    changes: [selectNothing],
  },
  {
    from: ['policy/v1beta1', 'extensions/v1beta1'],
    kinds: ['PodSecurityPolicy'],
    to: undefined,
    since: '1.25',
    advice: 'use Pod Security Admission labels on the namespace',
  },
  { from: ['settings.k8s.io/v1alpha1'], kinds: ['PodPreset'], to: undefined, since: '1.20' },
  {
    from: [`${RBAC}/v1beta1`, `${RBAC}/v1alpha1`],
    kinds: ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
    to: `${RBAC}/v1`,
    since: '1.22',
    changes: [dropApiVersionOfSubjects],
  },
  { from: ['batch/v1beta1', 'batch/v2alpha1'], kinds: ['CronJob'], to: 'batch/v1', since: '1.25' },
  {
    from: ['autoscaling/v2beta1'],
    kinds: ['HorizontalPodAutoscaler'],
    to: 'autoscaling/v2',
    since: '1.25',
    changes: [toAutoscalingV2],
  },
  { from: ['autoscaling/v2beta2'], kinds: ['HorizontalPodAutoscaler'], to: 'autoscaling/v2', since: '1.26' },
  {
    from: ['apiextensions.k8s.io/v1beta1'],
    kinds: ['CustomResourceDefinition'],
    to: 'apiextensions.k8s.io/v1',
    since: '1.22',
    changes: [toCrdV1],
  },
  {
    from: [`${ADMISSION}/v1beta1`, `${ADMISSION}/v1alpha1`],
    kinds: ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
    to: `${ADMISSION}/v1`,
    since: '1.22',
    changes: [toWebhookV1],
  },
  {
    from: [`${ADMISSION}/v1beta1`, `${ADMISSION}/v1alpha1`],
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    to: `${ADMISSION}/v1`,
    since: '1.34',
  },
  { from: ['apiregistration.k8s.io/v1beta1'], kinds: ['APIService'], to: 'apiregistration.k8s.io/v1', since: '1.22' },
  {
    from: ['certificates.k8s.io/v1beta1'],
    kinds: ['CertificateSigningRequest'],
    to: 'certificates.k8s.io/v1',
    since: '1.22',
    changes: [signerName],
  },
  { from: ['coordination.k8s.io/v1beta1'], kinds: ['Lease'], to: 'coordination.k8s.io/v1', since: '1.22' },
  {
    from: ['scheduling.k8s.io/v1beta1', 'scheduling.k8s.io/v1alpha1'],
    kinds: ['PriorityClass'],
    to: 'scheduling.k8s.io/v1',
    since: '1.22',
  },
  {
    from: [`${STORAGE}/v1beta1`, `${STORAGE}/v1alpha1`],
    kinds: ['StorageClass', 'VolumeAttachment', 'CSIDriver', 'CSINode'],
    to: `${STORAGE}/v1`,
    since: '1.22',
  },
  {
    from: [`${STORAGE}/v1beta1`, `${STORAGE}/v1alpha1`],
    kinds: ['CSIStorageCapacity'],
    to: `${STORAGE}/v1`,
    since: '1.27',
  },
  { from: ['node.k8s.io/v1beta1'], kinds: ['RuntimeClass'], to: 'node.k8s.io/v1', since: '1.25' },
  {
    from: ['node.k8s.io/v1alpha1'],
    kinds: ['RuntimeClass'],
    to: 'node.k8s.io/v1',
    since: '1.25',
    changes: [unwrapRuntimeHandler],
  },
  {
    from: ['discovery.k8s.io/v1beta1', 'discovery.k8s.io/v1alpha1'],
    kinds: ['EndpointSlice'],
    to: 'discovery.k8s.io/v1',
    since: '1.25',
    changes: [nodeNameFromTopology],
  },
  {
    from: ['events.k8s.io/v1beta1'],
    kinds: ['Event'],
    to: 'events.k8s.io/v1',
    since: '1.25',
    changes: [renameEventFields],
  },
  {
    from: [`${FLOW}/v1alpha1`, `${FLOW}/v1beta1`, `${FLOW}/v1beta2`],
    kinds: ['PriorityLevelConfiguration'],
    to: `${FLOW}/v1`,
    since: '1.29',
    changes: [nameSharesNominal],
  },
  { from: [`${FLOW}/v1beta3`], kinds: ['PriorityLevelConfiguration', 'FlowSchema'], to: `${FLOW}/v1`, since: '1.32' },
  {
    from: [`${FLOW}/v1alpha1`, `${FLOW}/v1beta1`, `${FLOW}/v1beta2`],
    kinds: ['FlowSchema'],
    to: `${FLOW}/v1`,
    since: '1.29',
  },
];

const MOVES = new Map<string, Move>(
  ROWS.flatMap((row) =>
    row.from.flatMap((from) =>
      row.kinds.map((kind): [string, Move] => [
        `${from} ${kind}`,
        {
          to: row.to,
          since: row.since,
          changes: row.changes ?? [],
          ...(row.advice === undefined ? {} : { advice: row.advice }),
        },
      ]),
    ),
  ),
);

/** The row for a removed version of a kind. */
export function movesOf({ group, version, kind }: GroupVersionKind): Move | undefined {
  return MOVES.get(`${group === '' ? version : `${group}/${version}`} ${kind}`);
}
