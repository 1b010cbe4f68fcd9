import type { JsonObject } from '@/lib/json/json';

/** What the pods of the controller and the console have in common. */
export interface PodParts {
  readonly labels: { readonly [name: string]: string };
  readonly serviceAccount: string;
  readonly container: JsonObject;
  /** A Secret that is mounted read-only when it exists. */
  readonly files?: { readonly secretName: string; readonly mountPath: string };
}

/** Pod Security "restricted" wants these; the root file system is read-only besides, because nothing writes to it. */
const CONTAINER_SECURITY: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** Longer than a process needs to finish its requests and give its lease back. */
const GRACE_SECONDS = 30;

/**
 * A pod template that Pod Security "restricted" admits. The user is not named: the image has a number of its own, and clusters that assign
 * one (OpenShift) may.
 */
export function podTemplate({ labels, serviceAccount, container, files }: PodParts): JsonObject {
  return {
    metadata: { labels: { ...labels } },
    spec: {
      serviceAccountName: serviceAccount,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      // Two replicas on one node do not survive it. On a cluster of one node they run all the same.
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { ...labels } },
        },
      ],
      containers: [
        {
          ...container,
          securityContext: CONTAINER_SECURITY,
          volumeMounts: [
            { name: 'tmp', mountPath: '/tmp' },
            ...(files === undefined ? [] : [{ name: 'files', mountPath: files.mountPath, readOnly: true }]),
          ],
        },
      ],
      volumes: [
        { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
        ...(files === undefined ? [] : [{ name: 'files', secret: { secretName: files.secretName, optional: true } }]),
      ],
    },
  };
}

export interface ProbePaths {
  readonly alive: string;
  readonly ready: string;
  /** The `Host` to send, where not every name is answered: kubelet sends the address of the pod otherwise. */
  readonly host?: string;
}

/** Startup within a minute, then an answer every ten seconds. `ready` takes the pod out of its Service, `alive` restarts it. */
export function probes(port: string, { alive, ready, host }: ProbePaths): JsonObject {
  const httpHeaders = host === undefined ? {} : { httpHeaders: [{ name: 'Host', value: host }] };
  const get = (path: string): JsonObject => ({ httpGet: { path, port, ...httpHeaders } });
  return {
    startupProbe: { ...get(alive), periodSeconds: 2, failureThreshold: 30 },
    livenessProbe: { ...get(alive), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    readinessProbe: { ...get(ready), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 },
  };
}
