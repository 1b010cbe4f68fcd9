import type { KubeObject } from '@/lib/kube/object';
import { CONSOLE_FILES, CONSOLE_LABELS, CONSOLE_NAME, CONSOLE_PORT, CONSOLE_SETTINGS, METRICS_PORT } from './names';
import type { ConsoleInstallation, InstallationOptions } from './options';
import { podTemplate, probes } from './pod';
import { workloadObjects } from './workload';

const REPLICAS = 2;
/** Where the keys of the Secret are files: a client secret of OIDC, the secret of a proxy, certificates. */
const FILES_FOLDER = '/etc/bravo';

/** Measured (docs/performance.md): 197 MB more while a list of 50,000 runs is read than at rest, where it takes some 150 MB. */
const RESOURCES = { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: '2', memory: '1Gi' } };

/** Service, budget, network policy and Deployment of the console, in this order. */
export function consoleObjects(options: InstallationOptions, console: ConsoleInstallation): KubeObject[] {
  return workloadObjects({
    name: CONSOLE_NAME,
    namespace: options.namespace,
    labels: CONSOLE_LABELS,
    service: { name: CONSOLE_NAME, portName: 'http', port: 80, targetPort: 'http' },
    podPorts: [CONSOLE_PORT, METRICS_PORT],
    replicas: REPLICAS,
    template: podTemplate({
      labels: CONSOLE_LABELS,
      serviceAccount: CONSOLE_NAME,
      container: container(options, console),
      files: { secretName: CONSOLE_FILES, mountPath: FILES_FOLDER },
    }),
  });
}

function container({ image, imagePullPolicy, namespaces }: InstallationOptions, console: ConsoleInstallation) {
  return {
    name: 'console',
    image,
    imagePullPolicy,
    command: ['bravo', 'console'],
    env: [
      { name: 'BRAVO_AUTH', value: console.signIn },
      ...(console.url === undefined ? [] : [{ name: 'BRAVO_URL', value: console.url }]),
      { name: 'BRAVO_HOST', value: '0.0.0.0' },
      { name: 'BRAVO_METRICS_HOST', value: '0.0.0.0' },
      { name: 'PORT', value: String(CONSOLE_PORT) },
      { name: 'BRAVO_CONTROLLER', value: 'off' },
      { name: 'BRAVO_DATA', value: '/tmp/bravo' },
      ...(namespaces.length > 0 ? [{ name: 'BRAVO_NAMESPACES', value: namespaces.join(',') }] : []),
    ],
    // What differs from cluster to cluster: issuer and client of OIDC, trusted proxies. `env` above takes precedence.
    envFrom: [{ configMapRef: { name: CONSOLE_SETTINGS, optional: true } }],
    ports: [
      { name: 'http', containerPort: CONSOLE_PORT, protocol: 'TCP' },
      { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
    ],
    ...probes('http', { alive: '/api/health', ready: '/api/ready', host: `localhost:${CONSOLE_PORT}` }),
    resources: RESOURCES,
  };
}
