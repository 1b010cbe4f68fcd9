import type { KubeObject } from '@/lib/kube/object';
import {
  CONTROLLER_LABELS,
  CONTROLLER_NAME,
  CONTROLLER_SERVICE,
  HEALTH_PORT,
  METRICS_PORT,
  SYSTEM_LABELS,
  WEBHOOK_PORT,
} from './names';
import type { InstallationOptions } from './options';
import { podTemplate, probes } from './pod';
import { workloadObjects } from './workload';

/** One leads, the other answers the webhook too and takes over. */
const REPLICAS = 2;

/**
 * Measured (docs/performance.md): 85 to 128 MB with a thousand Instances and 50,000 runs, 0.1 MB more for each further Instance, and
 * a peak while the first lists are parsed. The limit of the processor is above what one busy thread and its garbage collection take.
 */
const RESOURCES = { requests: { cpu: '100m', memory: '192Mi' }, limits: { cpu: '2', memory: '768Mi' } };

/** Service, budget, network policy and Deployment of the controller, in this order. */
export function controllerObjects(options: InstallationOptions): KubeObject[] {
  return workloadObjects({
    name: CONTROLLER_NAME,
    namespace: options.namespace,
    labels: CONTROLLER_LABELS,
    service: { name: CONTROLLER_SERVICE, portName: 'kudo', port: 443, targetPort: 'webhook-server' },
    podPorts: [WEBHOOK_PORT, HEALTH_PORT, METRICS_PORT],
    replicas: REPLICAS,
    template: podTemplate({
      labels: CONTROLLER_LABELS,
      serviceAccount: options.serviceAccount,
      container: container(options),
    }),
  });
}

function container({ namespace, namespaces, image, imagePullPolicy }: InstallationOptions) {
  const isNamespaced = namespaces.length > 0;
  return {
    name: 'manager',
    image,
    imagePullPolicy,
    command: ['bravo', 'controller'],
    args: ['--lease-namespace', namespace],
    env: [
      { name: 'BRAVO_WEBHOOK_SERVICE', value: CONTROLLER_SERVICE },
      { name: 'BRAVO_HEALTH_PORT', value: String(HEALTH_PORT) },
      { name: 'BRAVO_METRICS_HOST', value: '0.0.0.0' },
      ...(isNamespaced
        ? [
            { name: 'BRAVO_NAMESPACES', value: namespaces.join(',') },
            // The registration of a webhook is cluster-scoped.
            { name: 'BRAVO_WEBHOOK', value: 'off' },
          ]
        : []),
    ],
    ports: [
      { name: 'webhook-server', containerPort: WEBHOOK_PORT, protocol: 'TCP' },
      { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
      { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
    ],
    ...probes('health', { alive: '/healthz', ready: '/readyz' }),
    resources: RESOURCES,
  };
}

/** The namespace of KUDO, with Pod Security "restricted" enforced. */
export function systemNamespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ...SYSTEM_LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
}
