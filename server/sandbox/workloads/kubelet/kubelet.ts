import { parseTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, jsonEqual, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { VolumeStore } from '../../store/volume-store';
import { queueKey, type WorkloadContext, type WorkloadController } from '../core/context';
import type { BugListener } from '../core/dispatcher';
import { resources } from '../core/resources';
import { isFinished, isTerminating, phaseOf } from '../pods/pod-state';
import { ClaimVolumes } from './claim-volumes';
import { restartPolicyOf } from './pod-fields';
import { NODE_NAME, PodRun } from './pod-run';
import { statusFor } from './pod-status';

export interface KubeletOptions {
  readonly podDelayMs: number;
  readonly volumeStore?: VolumeStore | undefined;
  readonly onBug?: BugListener | undefined;
}

/**
 * The node agent of the simulated node: brings bound pods up, runs their commands, restarts what ends, stops what is
 * deleted, and reports all that in status and events (Kubernetes pkg/kubelet, without containers).
 */
export class Kubelet implements WorkloadController {
  readonly name = 'kubelet';
  private readonly runs = new Map<string, PodRun>();
  private readonly claims: ClaimVolumes;
  private readonly images = new Set<string>();
  private readonly usedIps = new Set<string>();
  private nextIp = 2;

  constructor(
    private readonly context: WorkloadContext,
    private readonly options: KubeletOptions,
  ) {
    this.claims = new ClaimVolumes(context.clock, options.volumeStore, (error, uid) => {
      if (options.onBug === undefined) throw error;
      options.onBug(error, this.name, uid);
    });
  }

  /** Keeps the content of claims that is not kept yet. */
  flush(): void {
    this.claims.flush();
  }

  /** What runs for a pod, by uid. */
  run(uid: string): PodRun | undefined {
    return this.runs.get(uid);
  }

  *keysFor(event: Parameters<WorkloadController['keysFor']>[0]): Generator<string> {
    const { resource, group } = event.resource;
    if (group !== '') return;
    if (resource === 'pods') {
      if (event.type === 'DELETED') this.forget(event.object);
      else if (stringAt(event.object, 'spec', 'nodeName') === NODE_NAME) yield queueKey(event.object);
    }
    if (resource === 'persistentvolumeclaims' && event.type === 'DELETED') {
      this.claims.drop(event.object.metadata.uid ?? '');
    }
    // A pod may wait for a ConfigMap or Secret that has just come.
    if ((resource === 'configmaps' || resource === 'secrets') && event.type === 'ADDED') {
      for (const run of this.runs.values()) {
        if (namespaceOf(run.pod) === namespaceOf(event.object) && run.waitsForConfig) yield queueKey(run.pod);
      }
    }
  }

  reconcile(namespace: string, name: string): number | undefined {
    const pod = this.context.get(resources.pods, namespace, name);
    if (pod === undefined || stringAt(pod, 'spec', 'nodeName') !== NODE_NAME) return undefined;
    if (isTerminating(pod)) return this.stop(pod);
    if (isFinished(pod)) return undefined;
    const run = this.runFor(pod);
    run.update(pod);
    if (run.waitsForConfig) run.retryConfig();
    run.advance();
    // Asked before the status is written: what becomes due in between is reported by it, or by the next call.
    const nextMs = run.nextMs();
    this.writeStatus(run);
    return nextMs === undefined ? undefined : Math.max(1, nextMs - this.context.clock.monotonic());
  }

  private runFor(pod: KubeObject): PodRun {
    const uid = pod.metadata.uid ?? '';
    const present = this.runs.get(uid);
    if (present !== undefined) return present;
    const made = new PodRun(pod, {
      context: this.context,
      claims: this.claims,
      images: this.images,
      podDelayMs: this.options.podDelayMs,
    });
    this.runs.set(uid, made);
    if (phaseOf(pod) === 'Running') this.takeOver(made);
    return made;
  }

  /** A pod that ran before the sandbox was started again: servers are running at once, other commands run again. */
  private takeOver(run: PodRun): void {
    const nowMs = this.context.clock.monotonic();
    for (const container of run.all) {
      const field = `${container.isEphemeral ? 'ephemeralContainer' : container.isInit ? 'initContainer' : 'container'}Statuses`;
      const status = arrayAt(run.pod, 'status', field).find((each) => stringAt(each, 'name') === container.name);
      const startedMs = parseTime(stringAt(status, 'state', 'running', 'startedAt'));
      container.restartCount = numberAt(status, 'restartCount') ?? 0;
      container.dueMs = nowMs;
      this.images.add(container.image);
      if (container.isInit && !container.isSidecar) {
        const endedMs = this.context.clock.now();
        container.state = { kind: 'terminated', exitCode: 0, startedMs: endedMs, finishedMs: endedMs, message: '' };
      } else if (startedMs !== undefined && (container.isEphemeral || restartPolicyOf(run.pod) === 'Always')) {
        container.state = { kind: 'running', startedMs };
        container.log.line(`image ${container.image} runs on; its earlier log is gone`);
        container.readyMs = nowMs;
      }
    }
    run.prepared = true;
  }

  private writeStatus(run: PodRun): void {
    const status = this.statusOf(run);
    if (jsonEqual(status, run.pod.status)) return;
    run.pod = this.context.updateStatus(resources.pods, run.pod, status);
  }

  /** A deleted pod: its containers are stopped, and soon after it is removed. */
  private stop(pod: KubeObject): number | undefined {
    const run = this.runFor(pod);
    run.pod = pod;
    const nowMs = this.context.clock.monotonic();
    run.stopMs ??= nowMs + this.announceStop(run);
    if (run.stopMs > nowMs) return run.stopMs - nowMs;
    for (const container of run.all) {
      if (container.state.kind === 'running') container.finish(container.process === undefined ? 0 : TERMINATED);
    }
    const isHeld = (pod.metadata.finalizers ?? []).length > 0;
    if (isHeld && !isFinished(pod)) this.writeEnd(run);
    if (pod.metadata.deletionGracePeriodSeconds !== 0 || !isHeld) {
      this.context.delete(resources.pods, pod, { gracePeriodSeconds: 0 });
    }
    return undefined;
  }

  /** Says that the containers are going to be stopped, and how long that takes. */
  private announceStop(run: PodRun): number {
    for (const container of run.all) {
      if (container.state.kind !== 'running') continue;
      run.record('Normal', 'Killing', `Stopping container ${container.name}`, container);
    }
    const graceMs = (run.pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000;
    return Math.min(graceMs, this.options.podDelayMs * 0.3);
  }

  /** Clients that hold the pod with a finalizer read from its status how it ended. */
  private writeEnd(run: PodRun): void {
    const succeeded = run.mains.every(({ state }) => state.kind === 'terminated' && state.exitCode === 0);
    const status = { ...this.statusOf(run), phase: succeeded ? 'Succeeded' : 'Failed' };
    run.pod = this.context.updateStatus(resources.pods, run.pod, status);
  }

  private forget(pod: KubeObject): void {
    const uid = pod.metadata.uid ?? '';
    const run = this.runs.get(uid);
    for (const container of run?.all ?? []) {
      container.process?.kill(TERMINATED);
      container.log.close();
    }
    this.runs.delete(uid);
    this.usedIps.delete(run?.ip ?? '');
  }

  /** The status of the pod with its one address in 10.244.0.0/16, which is kept over a restart of the sandbox. */
  private statusOf(run: PodRun): JsonObject {
    run.ip ??= stringAt(run.pod, 'status', 'podIP') ?? this.freeIp();
    this.usedIps.add(run.ip);
    return statusFor(run, run.ip, this.context.clock.now());
  }

  private freeIp(): string {
    for (;;) {
      const ip = `10.244.${this.nextIp >> 8}.${this.nextIp & 0xff}`;
      this.nextIp = this.nextIp >= 65_000 ? 2 : this.nextIp + 1;
      if (!this.usedIps.has(ip) || this.usedIps.size > 60_000) return ip;
    }
  }
}

/** SIGTERM, as a shell reports it. */
const TERMINATED = 143;
