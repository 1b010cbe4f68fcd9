import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import type { SandboxApi } from '../api';
import type { VolumeStore } from '../store/volume-store';
import { eventCollector, podCollector } from './collection/collectors';
import { garbageCollector } from './collection/garbage-collector';
import { namespaceController } from './collection/namespace-controller';
import { daemonSetController } from './controllers/daemon-set';
import { disruptionController } from './controllers/disruption-budget';
import { replicaSetController } from './controllers/replica-set';
import { roleAggregationController } from './controllers/role-aggregation';
import { serviceAccountController } from './controllers/service-accounts';
import { WorkloadContext, type WorkloadController } from './core/context';
import { type BugListener, Dispatcher } from './core/dispatcher';
import type { PodConsole } from './core/pod-console';
import { deploymentController } from './deployments/deployment';
import { cronJobController } from './jobs/cron-job';
import { jobController, strayJobPodController } from './jobs/job';
import { KubeletConsole } from './kubelet/console';
import { Kubelet } from './kubelet/kubelet';
import { ensureNode } from './kubelet/node';
import { NodeConsole } from './kubelet/node-console';
import { scheduler } from './kubelet/scheduler';
import { endpointsController } from './services/endpoints';
import { loadBalancerController } from './services/load-balancer';
import { statefulSetController } from './stateful-sets/stateful-set';
import { claimBinder } from './storage/claim-binder';
import { storageProtection } from './storage/protection';
import { ensureStorageClass } from './storage/storage-class';

export interface WorkloadOptions {
  readonly api: SandboxApi;
  readonly clock: Clock;
  readonly random: Random;
  /** About how long a pod takes to become ready, and a Job's pod to end; with 0 only failures wait, as in a cluster. */
  readonly podDelayMs: number;
  /** `no-pods`: the controllers alone, as kube-controller-manager without scheduler and kubelet. */
  readonly mode: 'full' | 'no-pods';
  /** The sandbox's authority for `kube-root-ca.crt`, PEM. */
  readonly caCertificate?: string | undefined;
  /** Signs the token of a Secret of type service-account-token. */
  readonly signToken?: ((account: KubeObject, secret: KubeObject) => string) | undefined;
  /** Keeps the content of claims over restarts. */
  readonly volumeStore?: VolumeStore | undefined;
  /** Called for errors that are bugs; without it they are thrown. */
  readonly onBug?: BugListener | undefined;
}

export interface Workloads {
  /** False while changes wait to be worked on. */
  readonly idle: boolean;
  readonly podConsole: PodConsole;
  stop(): void;
}

/** Starts everything that moves inside the sandbox; it works until `stop`. */
export function startWorkloads(options: WorkloadOptions): Workloads {
  const context = new WorkloadContext(options);
  const full = options.mode === 'full';
  const kubelet = full ? new Kubelet(context, options) : undefined;
  if (full) {
    ensureNode(context);
    ensureStorageClass(context);
  }
  const controllers = [
    ...controllersFor(context, options),
    ...(kubelet === undefined ? [] : [scheduler(context), kubelet]),
  ];
  const dispatcher = new Dispatcher(context, controllers, options.onBug);
  return {
    get idle() {
      return dispatcher.idle;
    },
    podConsole: kubelet === undefined ? new NodeConsole(context) : new KubeletConsole(context, kubelet),
    stop() {
      dispatcher.stop();
      kubelet?.flush();
    },
  };
}

function controllersFor(context: WorkloadContext, options: WorkloadOptions): WorkloadController[] {
  const { caCertificate = '', signToken } = options;
  return [
    namespaceController(context),
    garbageCollector(context),
    podCollector(context),
    eventCollector(context),
    serviceAccountController(context, { caCertificate, signToken }),
    claimBinder(context),
    storageProtection(context),
    deploymentController(context),
    replicaSetController(context),
    statefulSetController(context),
    daemonSetController(context),
    jobController(context),
    strayJobPodController(context),
    cronJobController(context),
    endpointsController(context),
    ...(options.mode === 'full' ? [loadBalancerController(context)] : []),
    disruptionController(context),
    roleAggregationController(context),
  ];
}
