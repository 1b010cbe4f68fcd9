import type { KubeObject } from '@/lib/kube/object';
import { bravoCrds, kudoCrds } from '@/lib/kudo/crds/crds';

/** Names and labels are KUDO's, so that the objects of KUDO are replaced and KUDO's tools find ours. */
export const SYSTEM_NAMESPACE = 'kudo-system';
export const SERVICE_ACCOUNT = 'kudo-manager';
export const CONTROLLER_NAME = 'kudo-controller-manager';
export const CONTROLLER_SERVICE = 'kudo-controller-manager-service';
export const ROLE_BINDING = 'kudo-manager-rolebinding';
const APP = { app: 'kudo-manager' } as const;
const CONTROLLER_LABELS = { ...APP, 'control-plane': 'controller-manager' } as const;
const WEBHOOK_PORT = 9443;

/** Where and how the controller is installed. */
export interface InstallationOptions {
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  /** An account that exists already; by default one is created and bound to `cluster-admin`. */
  readonly serviceAccount: string;
}

/** The objects of one step of an installation. */
export interface InstallationStep {
  readonly step: 'crds' | 'namespace' | 'service account' | 'kudo controller';
  readonly objects: readonly KubeObject[];
}

/**
 * The steps of an installation, in their order. The webhook is no step: the controller registers it with a certificate that it
 * makes itself. The namespace is made only when it is the default one, the account only when it is the default one.
 */
export function installationSteps(options: InstallationOptions): InstallationStep[] {
  const { namespace, serviceAccount } = options;
  return [
    { step: 'crds', objects: [...kudoCrds(), ...bravoCrds()] },
    { step: 'namespace', objects: namespace === SYSTEM_NAMESPACE ? [namespaceObject()] : [] },
    { step: 'service account', objects: serviceAccount === SERVICE_ACCOUNT ? accountObjects(namespace) : [] },
    { step: 'kudo controller', objects: [service(namespace), controller(options)] },
  ];
}

function namespaceObject(): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM_NAMESPACE, labels: APP } };
}

function accountObjects(namespace: string): KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: SERVICE_ACCOUNT, namespace, labels: APP } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: ROLE_BINDING, labels: APP },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: SERVICE_ACCOUNT, namespace }],
    },
  ];
}

function service(namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: CONTROLLER_SERVICE, namespace, labels: CONTROLLER_LABELS },
    spec: { selector: CONTROLLER_LABELS, ports: [{ name: 'kudo', port: 443, targetPort: 'webhook-server' }] },
  };
}

function controller({ namespace, image, imagePullPolicy, serviceAccount }: InstallationOptions): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: CONTROLLER_NAME, namespace, labels: CONTROLLER_LABELS },
    spec: {
      replicas: 1,
      serviceName: CONTROLLER_SERVICE,
      selector: { matchLabels: CONTROLLER_LABELS },
      template: {
        metadata: { labels: CONTROLLER_LABELS },
        spec: {
          serviceAccountName: serviceAccount,
          terminationGracePeriodSeconds: 10,
          containers: [
            {
              name: 'manager',
              image,
              imagePullPolicy,
              command: ['bravo', 'controller', '--install-crds'],
              env: [{ name: 'BRAVO_WEBHOOK_SERVICE', value: CONTROLLER_SERVICE }],
              ports: [{ name: 'webhook-server', containerPort: WEBHOOK_PORT, protocol: 'TCP' }],
              readinessProbe: { httpGet: { path: '/readyz', port: 'webhook-server', scheme: 'HTTPS' } },
              resources: { requests: { cpu: '100m', memory: '128Mi' } },
            },
          ],
        },
      },
    },
  };
}
