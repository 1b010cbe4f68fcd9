import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** A part of an installation that runs as a Deployment behind a Service. */
export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [name: string]: string };
  readonly service: {
    readonly name: string;
    readonly portName: string;
    readonly port: number;
    readonly targetPort: string;
  };
  /** The ports that pods answer at. */
  readonly podPorts: readonly number[];
  readonly replicas: number;
  readonly template: JsonObject;
}

/** Service, budget, network policy and Deployment, in this order. */
export function workloadObjects(workload: Workload): KubeObject[] {
  const { name, namespace, labels, service, podPorts, replicas, template } = workload;
  const metadata = { name, namespace, labels };
  const selector = { matchLabels: labels };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: service.name },
      spec: {
        selector: labels,
        ports: [{ name: service.portName, port: service.port, targetPort: service.targetPort, protocol: 'TCP' }],
      },
    },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { maxUnavailable: 1, selector } },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress'],
        // The API server, the kubelet and an ingress have no labels to select them by.
        ingress: [{ ports: podPorts.map((port) => ({ port, protocol: 'TCP' })) }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas,
        selector,
        // A pod goes when its successor can answer.
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template,
      },
    },
  ];
}
