import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import type { ClaimVolumes } from './claim-volumes';
import { ConfigProblem } from './config-sources';
import { ContainerRun } from './container-run';
import { restartPolicyOf } from './pod-fields';
import { failureOf, formatDuration, isPullable, restartBackoffMs } from './simulated-failures';
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
  /** Added while the pod runs. */
  readonly ephemerals: ContainerRun[] = [];
  readonly volumes: PodVolumes;
  prepared = false;
  ip: string | undefined;
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
    this.inits = arrayAt(pod, 'spec', 'initContainers').map((spec) => new ContainerRun(spec, true, context));
    this.mains = arrayAt(pod, 'spec', 'containers').map((spec) => new ContainerRun(spec, false, context));
    this.volumes = new PodVolumes(context, claims);
    this.startMs = context.clock.monotonic();
    this.prepareMs = this.startMs + podDelayMs * 0.3;
    this.addEphemerals();
    for (const container of this.inits.length > 0 ? this.all : []) {
      container.state = { kind: 'waiting', reason: 'PodInitializing' };
    }
  }

  get all(): readonly ContainerRun[] {
    return [...this.inits, ...this.mains, ...this.ephemerals];
  }

  /** The pod as it is now: ephemeral containers may have been added. */
  update(pod: KubeObject): void {
    this.pod = pod;
    this.addEphemerals();
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
    for (const container of [...this.mains, ...this.ephemerals]) this.progress(container);
  }

  /** When to advance again on the monotonic clock; undefined when only a change of the pod matters. */
  nextMs(): number | undefined {
    if (!this.prepared) return this.prepareMs;
    const active = this.initialized
      ? [...this.mains, ...this.ephemerals]
      : this.inits.slice(0, this.inits.findIndex((init) => !isDone(init)) + 1);
    const times = active.map((container) => this.dueOf(container)).filter((ms) => ms !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** True while a ConfigMap, Secret or claim is missing. */
  get waitsForConfig(): boolean {
    return this.prepared ? this.all.some(lacksConfig) : this.lacksVolume;
  }

  /** Something has changed: what was missing is looked for again at once. */
  retryConfig(): void {
    if (!this.prepared) this.prepareMs = this.now();
    for (const container of this.all.filter(lacksConfig)) container.dueMs = this.now();
  }

  isReady(container: ContainerRun): boolean {
    if (container.state.kind === 'terminated') return container.isInit && container.state.exitCode === 0;
    return container.state.kind === 'running' && container.readyMs <= this.now();
  }

  /** Records an event about the pod, or about one of its containers. */
  record(type: 'Normal' | 'Warning', reason: string, message: string, container?: ContainerRun): void {
    const list = container?.isEphemeral ? 'ephemeralContainers' : container?.isInit ? 'initContainers' : 'containers';
    const place = container === undefined ? {} : { fieldPath: `spec.${list}{${container.name}}` };
    const event = { type, reason, message, ...place, component: 'kubelet', host: NODE_NAME };
    this.options.context.events.record(this.pod, event);
  }

  /** Whether the container will run again after its end. */
  restarts(container: ContainerRun): boolean {
    if (container.state.kind !== 'terminated') return true;
    if (container.isEphemeral) return false;
    const policy = container.isSidecar ? 'Always' : restartPolicyOf(this.pod);
    if (container.isInit && !container.isSidecar && container.state.exitCode === 0) return false;
    return policy === 'Always' || (policy === 'OnFailure' && container.state.exitCode !== 0);
  }

  private addEphemerals(): void {
    for (const spec of arrayAt(this.pod, 'spec', 'ephemeralContainers')) {
      if (this.ephemerals.some(({ name }) => name === stringAt(spec, 'name'))) continue;
      this.ephemerals.push(new ContainerRun(spec, false, this.options.context, true));
    }
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
      this.record('Warning', 'FailedMount', error.message);
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
    if (!this.pull(container)) return;
    if (container.restartCount === 0 && container.last === undefined) {
      this.record('Normal', 'Created', 'Container created', container);
    }
    try {
      container.start(this.pod, this.volumes);
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      this.record('Warning', 'Failed', `Error: ${error.message}`, container);
      container.wait(LACKS_CONFIG, error.message, this.now() + RETRY_MS);
      return;
    }
    this.record('Normal', 'Started', 'Container started', container);
    const { podDelayMs } = this.options;
    // Init containers end one after the other between 30 % and 60 % of the delay.
    const share = container.isInit ? 0.3 + (0.3 * (this.inits.indexOf(container) + 1)) / this.inits.length : 1;
    const restarted = container.restartCount > 0;
    const due = restarted ? this.now() + podDelayMs * 0.2 : Math.max(this.now(), this.startMs + podDelayMs * share);
    container.readyMs = due;
    container.dueMs = due;
  }

  private pull(container: ContainerRun): boolean {
    const { image } = container;
    const { images, podDelayMs } = this.options;
    if (!isPullable(this.pod, image)) {
      this.failPull(container);
      return false;
    }
    if (container.restartCount > 0) return true;
    if (images.has(image)) {
      this.record('Normal', 'Pulled', `Container image "${image}" already present on machine`, container);
      return true;
    }
    images.add(image);
    const took = `${Math.round(podDelayMs * 0.3)}ms`;
    this.record('Normal', 'Pulling', `Pulling image "${image}"`, container);
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting)`;
    this.record('Normal', 'Pulled', message, container);
    return true;
  }

  /** ErrImagePull at each try, ImagePullBackOff between them. */
  private failPull(container: ContainerRun): void {
    const { image, state } = container;
    if (state.kind === 'waiting' && state.reason === 'ErrImagePull') {
      const message = `Back-off pulling image "${image}"`;
      this.record('Normal', 'BackOff', message, container);
      this.record('Warning', 'Failed', 'Error: ImagePullBackOff', container);
      container.wait('ImagePullBackOff', message, this.now() + restartBackoffMs(container.pullFailures));
      return;
    }
    container.pullFailures++;
    const cause = `failed to pull and unpack image "${image}": not found`;
    this.record('Normal', 'Pulling', `Pulling image "${image}"`, container);
    this.record('Warning', 'Failed', `Failed to pull image "${image}": ${cause}`, container);
    this.record('Warning', 'Failed', 'Error: ErrImagePull', container);
    container.wait('ErrImagePull', cause, this.now() + this.options.podDelayMs * 0.3);
  }

  /** Looks after a running container: its command may have ended. */
  private watch(container: ContainerRun): void {
    if (failureOf(this.pod) === 'crash' && !container.isInit) {
      container.log.line('ended by the annotation that asks for a crash');
      container.finish(1);
      return;
    }
    // The shell of its image waits for input.
    if (container.isEphemeral && container.process === undefined) return;
    const policy = container.isSidecar ? 'Always' : restartPolicyOf(this.pod);
    const staysUp = policy === 'Always' && (!container.isInit || container.isSidecar) && !container.isEphemeral;
    const state = container.process?.poll() ?? { kind: 'exited' as const, exitCode: 0 };
    if (state.kind !== 'exited') return;
    if (staysUp && state.exitCode === 0) container.process = undefined;
    else if (staysUp || container.dueMs <= this.now()) container.finish(state.exitCode);
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
    const waitMs = restartBackoffMs(failures);
    const who = `${nameOf(this.pod)}_${namespaceOf(this.pod)}(${this.pod.metadata.uid ?? ''})`;
    const message = `back-off ${formatDuration(waitMs)} restarting failed container=${container.name} pod=${who}`;
    container.wait('CrashLoopBackOff', message, this.now() + waitMs);
    this.record(
      'Warning',
      'BackOff',
      `Back-off restarting failed container ${container.name} in pod ${who}`,
      container,
    );
  }
}

const RETRY_MS = 10_000;
const LACKS_CONFIG = 'CreateContainerConfigError';

function lacksConfig({ state }: ContainerRun): boolean {
  return state.kind === 'waiting' && state.reason === LACKS_CONFIG;
}

/** An init container is done when it succeeded, a sidecar when it runs. */
function isDone(init: ContainerRun): boolean {
  if (init.isSidecar) return init.state.kind === 'running' || init.restartCount > 0;
  return init.state.kind === 'terminated' && init.state.exitCode === 0;
}
