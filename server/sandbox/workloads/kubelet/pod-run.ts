import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import type { EventDetails } from '../core/event-recorder';
import type { ClaimVolumes } from './claim-volumes';
import { ConfigProblem } from './config-sources';
import { ContainerRun } from './container-run';
import { containersOf, restartPolicyOf } from './pod-fields';
import { backoffMs, failureOf, formatDuration, isPullable } from './simulated-failures';
import { PodVolumes } from './volumes';

export const NODE_NAME = 'sandbox';

export interface PodRunOptions {
  readonly context: WorkloadContext;
  readonly claims: ClaimVolumes;
  /** Images that were pulled before; they are not pulled again. */
  readonly images: Set<string>;
  readonly podDelayMs: number;
}

/**
 * One pod on the simulated node, from its binding to its end.
 *
 * States: preparing (volumes, until 30 % of the delay) → init containers, one after the other → containers, together.
 * A container: waiting (ContainerCreating, image back-off, crash back-off) → running → terminated → waiting again when
 * the restart policy says so. `advance` does all that is due; `nextMs` says when something will be.
 */
export class PodRun {
  readonly inits: readonly ContainerRun[];
  readonly mains: readonly ContainerRun[];
  readonly volumes: PodVolumes;
  prepared = false;
  /** When a deleted pod will have stopped, on the monotonic clock. */
  stopMs: number | undefined;
  private readonly startMs: number;
  private prepareMs: number;
  private lacksVolume = false;

  constructor(
    public pod: KubeObject,
    private readonly options: PodRunOptions,
  ) {
    const { context, claims, podDelayMs } = options;
    this.inits = containersOf(pod, 'initContainers').map((spec) => new ContainerRun(spec, true, context));
    this.mains = containersOf(pod, 'containers').map((spec) => new ContainerRun(spec, false, context));
    this.volumes = new PodVolumes(context, claims);
    this.startMs = context.clock.monotonic();
    this.prepareMs = this.startMs + podDelayMs * 0.3;
    for (const container of this.mains) {
      if (this.inits.length > 0) container.state = { kind: 'waiting', reason: 'PodInitializing' };
    }
    for (const container of this.inits) container.state = { kind: 'waiting', reason: 'PodInitializing' };
  }

  get all(): readonly ContainerRun[] {
    return [...this.inits, ...this.mains];
  }

  get initialized(): boolean {
    return this.inits.every((init) => isDone(init));
  }

  /** Does everything that is due now. */
  advance(): void {
    if (!this.prepared && !this.prepare()) return;
    for (const init of this.inits) {
      this.progress(init);
      if (!isDone(init)) return;
    }
    for (const container of this.mains) this.progress(container);
  }

  /** When to advance again on the monotonic clock; undefined when only a change of the pod matters. */
  nextMs(): number | undefined {
    if (!this.prepared) return this.prepareMs;
    const active = this.initialized
      ? this.mains
      : this.inits.slice(0, this.inits.findIndex((init) => !isDone(init)) + 1);
    const times = active.map((container) => this.dueOf(container)).filter((ms) => ms !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** True while a ConfigMap, Secret or claim is missing. */
  get waitsForConfig(): boolean {
    if (!this.prepared) return this.lacksVolume;
    return this.all.some(({ state }) => state.kind === 'waiting' && state.reason === 'CreateContainerConfigError');
  }

  /** Something has changed: what was missing is looked for again at once. */
  retryConfig(): void {
    if (!this.prepared) this.prepareMs = this.now();
    for (const container of this.all) {
      const { state } = container;
      if (state.kind === 'waiting' && state.reason === 'CreateContainerConfigError') container.dueMs = this.now();
    }
  }

  isReady(container: ContainerRun): boolean {
    if (container.state.kind === 'terminated') return container.isInit && container.state.exitCode === 0;
    return container.state.kind === 'running' && container.readyMs <= this.now();
  }

  record(details: Omit<EventDetails, 'component' | 'host'>): void {
    this.options.context.events.record(this.pod, { ...details, component: 'kubelet', host: NODE_NAME });
  }

  /** Whether the container will run again after its end. */
  restarts(container: ContainerRun): boolean {
    if (container.state.kind !== 'terminated') return true;
    const policy = container.isSidecar ? 'Always' : restartPolicyOf(this.pod);
    if (container.isInit && !container.isSidecar && container.state.exitCode === 0) return false;
    return policy === 'Always' || (policy === 'OnFailure' && container.state.exitCode !== 0);
  }

  private now(): number {
    return this.options.context.clock.monotonic();
  }

  private dueOf(container: ContainerRun): number | undefined {
    if (container.state.kind === 'waiting') return container.dueMs;
    if (container.state.kind === 'terminated') return undefined;
    const process = container.process?.state;
    if (process?.kind === 'exited') return container.dueMs;
    const ready = container.readyMs > this.now() ? container.readyMs : undefined;
    if (process?.kind !== 'sleeping') return ready;
    return Math.min(process.untilMs, ready ?? process.untilMs);
  }

  /** Volumes are mounted when their sources exist; else an event names the missing one. */
  private prepare(): boolean {
    if (this.prepareMs > this.now()) return false;
    try {
      this.volumes.check(this.pod);
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      this.record({ type: 'Warning', reason: 'FailedMount', message: error.message });
      this.prepareMs = this.now() + RETRY_MS;
      this.lacksVolume = true;
      return false;
    }
    this.prepared = true;
    return true;
  }

  private progress(container: ContainerRun): void {
    if (container.state.kind === 'waiting' && container.dueMs <= this.now()) this.start(container);
    if (container.state.kind === 'running') this.watch(container);
    if (container.state.kind === 'terminated' && this.restarts(container)) this.backOff(container);
  }

  private start(container: ContainerRun): void {
    const fieldPath = pathOf(container);
    if (!this.pull(container)) return;
    if (container.restartCount === 0 && container.last === undefined) {
      this.record({ type: 'Normal', reason: 'Created', message: `Container created`, fieldPath });
    }
    try {
      container.start(this.pod, this.volumes);
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      this.record({ type: 'Warning', reason: 'Failed', message: `Error: ${error.message}`, fieldPath });
      container.wait('CreateContainerConfigError', error.message, this.now() + RETRY_MS);
      return;
    }
    this.record({ type: 'Normal', reason: 'Started', message: `Container started`, fieldPath });
    const endOfDelay = this.startMs + this.options.podDelayMs * (container.isInit ? this.initShare(container) : 1);
    const restarted = container.restartCount > 0;
    const due = restarted ? this.now() + this.options.podDelayMs * 0.2 : Math.max(this.now(), endOfDelay);
    container.readyMs = due;
    container.dueMs = due;
  }

  /** Init containers end one after the other between 30 % and 60 % of the delay. */
  private initShare(container: ContainerRun): number {
    return 0.3 + (0.3 * (this.inits.indexOf(container) + 1)) / this.inits.length;
  }

  private pull(container: ContainerRun): boolean {
    const { image } = container;
    const fieldPath = pathOf(container);
    if (!isPullable(this.pod, image)) {
      this.failPull(container, fieldPath);
      return false;
    }
    if (container.restartCount > 0) return true;
    if (this.options.images.has(image)) {
      const message = `Container image "${image}" already present on machine`;
      this.record({ type: 'Normal', reason: 'Pulled', message, fieldPath });
      return true;
    }
    this.options.images.add(image);
    this.record({ type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"`, fieldPath });
    const took = `${Math.round(this.options.podDelayMs * 0.3)}ms`;
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting)`;
    this.record({ type: 'Normal', reason: 'Pulled', message, fieldPath });
    return true;
  }

  /** ErrImagePull at each try, ImagePullBackOff between them. */
  private failPull(container: ContainerRun, fieldPath: string): void {
    const { image } = container;
    const failing = container.state.kind === 'waiting' && container.state.reason === 'ErrImagePull';
    if (failing) {
      const waitMs = backoffMs(container.pullFailures);
      const message = `Back-off pulling image "${image}"`;
      this.record({ type: 'Normal', reason: 'BackOff', message, fieldPath });
      this.record({ type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff', fieldPath });
      container.wait('ImagePullBackOff', message, this.now() + waitMs);
      return;
    }
    container.pullFailures++;
    const cause = `failed to pull and unpack image "${image}": not found`;
    this.record({ type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"`, fieldPath });
    this.record({ type: 'Warning', reason: 'Failed', message: `Failed to pull image "${image}": ${cause}`, fieldPath });
    this.record({ type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull', fieldPath });
    container.wait('ErrImagePull', cause, this.now() + this.options.podDelayMs * 0.3);
  }

  /** Looks after a running container: its command may have ended. */
  private watch(container: ContainerRun): void {
    const crashes = failureOf(this.pod) === 'crash' && !container.isInit;
    if (crashes) {
      container.log.line('ended by the annotation that asks for a crash');
      container.finish(1);
      return;
    }
    const policy = container.isSidecar ? 'Always' : restartPolicyOf(this.pod);
    const staysUp = policy === 'Always' && (!container.isInit || container.isSidecar);
    const state = container.process?.poll() ?? { kind: 'exited' as const, exitCode: 0 };
    if (state.kind !== 'exited') return;
    if (staysUp && state.exitCode === 0) {
      container.process = undefined;
      return;
    }
    if (container.dueMs > this.now() && !(staysUp && state.exitCode !== 0)) return;
    container.finish(state.exitCode);
  }

  /** The first restart comes soon, later ones after the kubelet's back-off. */
  private backOff(container: ContainerRun): void {
    const failures = container.restartCount;
    container.restartCount++;
    if (failures === 0) {
      if (container.state.kind === 'terminated') container.last = container.state;
      container.wait('ContainerCreating', undefined, this.now() + this.options.podDelayMs * 0.3);
      return;
    }
    const waitMs = backoffMs(failures);
    const who = `${nameOf(this.pod)}_${namespaceOf(this.pod)}(${this.pod.metadata.uid ?? ''})`;
    const message = `back-off ${formatDuration(waitMs)} restarting failed container=${container.name} pod=${who}`;
    container.wait('CrashLoopBackOff', message, this.now() + waitMs);
    this.record({
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container ${container.name} in pod ${who}`,
      fieldPath: pathOf(container),
    });
  }
}

const RETRY_MS = 10_000;

/** An init container is done when it succeeded, a sidecar when it runs. */
function isDone(init: ContainerRun): boolean {
  if (init.isSidecar) return init.state.kind === 'running' || init.restartCount > 0;
  return init.state.kind === 'terminated' && init.state.exitCode === 0;
}

export function pathOf(container: ContainerRun): string {
  return container.isInit ? `spec.initContainers{${container.name}}` : `spec.containers{${container.name}}`;
}
