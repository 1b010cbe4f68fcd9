import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, getAt, type JsonValue, stringAt } from '@/lib/json/json';
import { ConfigError } from './config-sources';
import { ContainerCare } from './container-care';
import type { ContainerExit, ExecOutput } from './container-runtime';
import { type PreparedContainer, prepareContainer } from './container-setup';
import type { ImageDefinition } from './image-definition';
import { findImage } from './images';
import { LogFile } from './log-file';
import type { NodeParts, PodContext } from './node-parts';
import type { ContainerState, ContainerView, Terminated } from './pod-status';
import type { PodVolumes } from './pod-volumes';
import { pause } from './tools';

export type ContainerRole = 'init' | 'sidecar' | 'main';

export interface ContainerHome {
  readonly node: NodeParts;
  readonly context: PodContext;
  readonly volumes: PodVolumes;
  /** Called after every change of the view. */
  readonly onChange: () => void;
  /** Aborted when the pod is stopped: nothing is started any more. */
  readonly signal: AbortSignal;
}

interface Run {
  readonly prepared: PreparedContainer;
  readonly image: ImageDefinition;
  readonly exited: Promise<ContainerExit>;
}

const RETRY_CONFIG_MS = 1_000;
const RETRY_IMAGE_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;
/** A container that ran so long begins with the first wait again. */
const CALM_MS = 600_000;
const MESSAGE_BYTES = 4_096;
const LOG_MESSAGE = { lines: 80, bytes: 2_048 };
const LEAST_GRACE_MS = 2_000;

/**
 * One container of a pod.
 *
 * States: *waiting* (image, configuration, back-off) → *running* → *terminated* → waiting again when the restart policy says so.
 * A failed startup or liveness probe, or a failed postStart hook, stops the run; then the restart policy decides.
 */
export class ContainerWorker {
  readonly name: string;
  log: LogFile | undefined;
  previousLog: LogFile | undefined;
  private state: ContainerState;
  private last: Terminated | undefined;
  private restartCount = 0;
  private isStarted = false;
  private isReady = false;
  private hasEnded = false;
  private run: Run | undefined;
  private readonly care: ContainerCare;
  private backoffs = 0;

  constructor(
    private readonly spec: JsonValue,
    readonly role: ContainerRole,
    private readonly home: ContainerHome,
  ) {
    this.name = stringAt(spec, 'name') ?? '';
    const reason =
      arrayAt(home.context.pod, 'spec', 'initContainers').length > 0 ? 'PodInitializing' : 'ContainerCreating';
    this.state = { kind: 'waiting', reason, message: '' };
    this.care = new ContainerCare(spec, home.context, {
      exec: (command, output) => this.exec(command, output),
      onStarted: () => {
        this.isStarted = true;
        home.onChange();
      },
      onReady: (isReady) => {
        this.isReady = isReady;
        home.onChange();
      },
      onProblem: (problem, message) => home.node.cluster.event(home.context.pod, 'Warning', problem, message),
      end: (graceMs) => this.terminate(graceMs),
    });
  }

  get view(): ContainerView {
    const { state, last, restartCount, isReady, isStarted, name } = this;
    const image = stringAt(this.spec, 'image') ?? '';
    const hasRun = state.kind !== 'waiting' || last !== undefined;
    return {
      ...{ name, image, state, last, restartCount, isReady, isStarted },
      imageID: hasRun ? `${image.replace(/(:[^/:]+)?(@.*)?$/, '')}@sha256:${digest(image)}` : '',
      containerID: hasRun ? this.containerID() : '',
      hasEnded: this.hasEnded || (state.kind === 'terminated' && this.home.signal.aborted),
      isSidecar: this.role === 'sidecar',
    };
  }

  /** Runs the container until it has ended for good. Resolves with its last exit code. */
  async supervise(): Promise<number> {
    const { signal } = this.home;
    for (;;) {
      const ended = await this.runOnce();
      if (ended === undefined || signal.aborted) return this.end(ended?.exitCode ?? 137);
      if (!this.restartsAfter(ended.exitCode)) return this.end(ended.exitCode);
      if (ended.finishedMs - ended.startedMs > CALM_MS) this.backoffs = 0;
      // The first restart is immediate.
      const { restartBackoffMs } = this.home.node;
      const delayMs = this.backoffs === 0 ? 0 : Math.min(MAX_BACKOFF_MS, restartBackoffMs * 2 ** (this.backoffs - 1));
      this.backoffs += 1;
      if (delayMs > 0) {
        this.last = ended;
        const pod = this.home.context.pod.metadata;
        const message = `back-off ${delayMs / 1_000}s restarting failed container=${this.name} pod=${pod.name}_${pod.namespace}(${pod.uid})`;
        this.wait('CrashLoopBackOff', message);
        this.home.node.cluster.event(
          this.home.context.pod,
          'Warning',
          'BackOff',
          `Back-off restarting failed container ${this.name}`,
        );
      }
      await pause(delayMs, signal);
      if (signal.aborted) {
        this.state = ended;
        return this.end(ended.exitCode);
      }
      this.last = ended;
      this.restartCount += 1;
    }
  }

  /** Stops what runs: preStop hook, stop signal, and SIGKILL when the grace period is over. */
  async terminate(graceMs: number): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    const { pod } = this.home.context;
    this.home.node.cluster.event(pod, 'Normal', 'Killing', `Stopping container ${this.name}`);
    const endMs = Date.now() + graceMs;
    const preStop = getAt(this.spec, 'lifecycle', 'preStop');
    if (preStop !== undefined && graceMs > 0) {
      await Promise.race([this.care.runHook(preStop, graceMs).catch(() => undefined), pause(graceMs), run.exited]);
    }
    const signal = (stringAt(this.spec, 'lifecycle', 'stopSignal') ?? run.image.stopSignal).replace(/^SIG/, '');
    if (graceMs > 0) await this.home.node.runtime.kill(run.prepared.id, signal);
    const leastMs = preStop === undefined ? 0 : LEAST_GRACE_MS;
    const over = new AbortController();
    await Promise.race([run.exited, pause(Math.max(leastMs, endMs - Date.now()), over.signal)]);
    over.abort();
    if (this.run === run) await this.home.node.runtime.kill(run.prepared.id, 'KILL');
    await run.exited;
  }

  /** Runs a command beside the container's program. @throws Error when it does not run */
  exec(command: readonly string[], output: ExecOutput): Promise<number> {
    const { run } = this;
    if (run === undefined || this.state.kind !== 'running') throw new Error(`container not found ("${this.name}")`);
    return this.home.node.runtime.exec(run.prepared.id, run.prepared.execProcess(command), output);
  }

  private restartsAfter(exitCode: number): boolean {
    const policy =
      this.role === 'sidecar' ? 'Always' : (stringAt(this.home.context.pod, 'spec', 'restartPolicy') ?? 'Always');
    if (this.role === 'init') return policy !== 'Never' && exitCode !== 0;
    return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  }

  private end(exitCode: number): number {
    this.hasEnded = true;
    this.home.onChange();
    return exitCode;
  }

  private wait(reason: string, message: string): void {
    this.state = { kind: 'waiting', reason, message };
    this.home.onChange();
  }

  private containerID(): string {
    return `containerd://${digest(this.idOf(this.restartCount))}`;
  }

  private idOf(attempt: number): string {
    return `${this.home.context.pod.metadata.uid}-${this.name}-${attempt}`;
  }

  /** From the image to the end of the program; undefined when the pod was stopped before it started. */
  private async runOnce(): Promise<Terminated | undefined> {
    const { node, context, signal } = this.home;
    const ready = await this.prepare();
    if (ready === undefined) return undefined;
    const { prepared, image } = ready;
    this.previousLog = this.log;
    const log = new LogFile(join(context.folder, `${this.name}.${this.restartCount}.log`));
    this.log = log;
    const startedMs = Date.now();
    const { started, exited } = node.runtime.run(prepared.id, prepared.spec, log);
    this.run = { prepared, image, exited };
    const watching = new AbortController();
    if (await started) {
      this.state = { kind: 'running', startedMs };
      this.home.onChange();
      if (signal.aborted) void this.terminate(0);
      else void this.care.accompany(watching.signal);
    }
    const exit = await exited;
    watching.abort();
    this.run = undefined;
    this.isStarted = false;
    this.isReady = this.role === 'init' && exit.code === 0;
    const ended = this.terminated(exit, startedMs, prepared);
    this.state = ended;
    await node.runtime.remove(prepared.id);
    this.home.onChange();
    return ended;
  }

  private terminated(exit: ContainerExit, startedMs: number, prepared: PreparedContainer): Terminated {
    const { code: exitCode, isOutOfMemory, problem } = exit;
    const plain = exitCode === 0 ? 'Completed' : 'Error';
    const reason = problem !== undefined ? 'StartError' : isOutOfMemory && exitCode !== 0 ? 'OOMKilled' : plain;
    const written = readFileSync(prepared.messagePath).subarray(0, MESSAGE_BYTES).toString('utf8');
    const fallsBack = stringAt(this.spec, 'terminationMessagePolicy') === 'FallbackToLogsOnError';
    const ofLog =
      written === '' && fallsBack && exitCode !== 0 ? this.log?.tail(LOG_MESSAGE.lines, LOG_MESSAGE.bytes) : '';
    const message = problem ?? (written || (ofLog ?? ''));
    return {
      ...{ kind: 'terminated', exitCode, reason, message, startedMs, finishedMs: Date.now() },
      containerID: this.containerID(),
    };
  }

  /** Image and configuration, until both are complete. */
  private async prepare(): Promise<{ prepared: PreparedContainer; image: ImageDefinition } | undefined> {
    const { node, context, volumes, signal } = this.home;
    while (!signal.aborted) {
      const reference = stringAt(this.spec, 'image') ?? '';
      const image = findImage(reference);
      if (image === undefined) {
        await this.refuseImage(reference);
        continue;
      }
      try {
        const prepared = await prepareContainer(this.idOf(this.restartCount), this.spec, image, {
          node,
          context,
          volumes,
        });
        return { prepared, image };
      } catch (error) {
        const reason = error instanceof ConfigError ? 'CreateContainerConfigError' : 'CreateContainerError';
        this.wait(reason, messageOf(error));
        if (!(error instanceof ConfigError))
          node.cluster.log.warn('container.failed', { container: this.name, error: messageOf(error) });
        await pause(RETRY_CONFIG_MS, signal);
      }
    }
    return undefined;
  }

  private async refuseImage(reference: string): Promise<void> {
    const message = `Image "${reference}" is not in the table of this node (test/node/images.ts).`;
    const isFirst = this.state.kind !== 'waiting' || !this.state.reason.includes('Image');
    this.wait(isFirst ? 'ErrImagePull' : 'ImagePullBackOff', message);
    if (isFirst)
      this.home.node.cluster.event(
        this.home.context.pod,
        'Warning',
        'Failed',
        `Failed to pull image "${reference}": ${message}`,
      );
    await pause(isFirst ? RETRY_CONFIG_MS : RETRY_IMAGE_MS, this.home.signal);
  }
}

/** 64 hexadecimal digits that depend on the text alone. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
