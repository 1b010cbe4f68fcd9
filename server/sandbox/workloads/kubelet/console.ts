import { formatTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import type { WorkloadContext } from '../core/context';
import {
  type ContainerTarget,
  type ExecRequest,
  type ExecResult,
  type LogRequest,
  type PodConsole,
  PodConsoleError,
} from '../core/pod-console';
import { resources } from '../core/resources';
import { encode, InputStream, type Output } from '../shell/language/io';
import { Process } from '../shell/language/process';
import { runProgram } from '../shell/shell';
import { ConfigProblem } from './config-sources';
import type { ContainerRun } from './container-run';
import { environmentOf } from './environment';
import type { Kubelet } from './kubelet';
import type { ContainerLogLine, LogBuffer } from './log-buffer';
import { hostNameOf } from './pod-fields';
import type { PodRun } from './pod-run';

const KILLED = 137;

/** `pods/exec` and `pods/log` over the simulated pods. */
export class KubeletConsole implements PodConsole {
  constructor(
    private readonly context: WorkloadContext,
    private readonly kubelet: Kubelet | undefined,
  ) {}

  async exec(request: ExecRequest): Promise<ExecResult> {
    const { run, container } = this.find(request);
    if (container.state.kind !== 'running') {
      throw new PodConsoleError(500, `container not found ("${container.name}")`);
    }
    const process = this.start(run, container, request);
    return { exitCode: await this.drive(process, request) };
  }

  /** Throws when a ConfigMap or Secret that the container was created from no longer exists. */
  private start(run: PodRun, container: ContainerRun, request: ExecRequest): Process {
    const { pod } = run;
    const streams = {
      stdin: new InputStream(undefined, request.stdin !== undefined),
      ...outputs(request),
    };
    try {
      const steps = runProgram({
        argv: request.command,
        env: environmentOf(this.context, pod, container.spec),
        cwd: stringAt(container.spec, 'workingDir') ?? '/',
        files: container.files(pod, run.volumes),
        streams,
        clock: this.context.clock,
        hostname: hostNameOf(pod),
        ip: stringAt(pod, 'status', 'podIP') ?? '',
        role: 'exec',
      });
      return new Process(steps, this.context.clock);
    } catch (error) {
      if (error instanceof ConfigProblem) throw new PodConsoleError(500, error.message);
      throw error;
    }
  }

  private async drive(process: Process, request: ExecRequest): Promise<number> {
    const input = request.stdin?.[Symbol.asyncIterator]();
    const isGone = (): boolean => request.signal?.aborted === true;
    for (;;) {
      const { state } = process;
      if (state.kind === 'exited') return state.exitCode;
      if (isGone()) {
        process.kill(KILLED);
        return KILLED;
      }
      if (state.kind === 'sleeping') {
        await this.pause(state.untilMs - this.context.clock.monotonic(), request.signal);
        process.poll();
      } else if (state.kind === 'read') {
        const next = await Promise.race([input?.next(), aborted(request.signal)]);
        if (isGone()) continue;
        process.feed(next === undefined || next.done === true ? undefined : next.value);
      } else if (request.signal === undefined) {
        // Nobody could ever end it.
        process.kill(KILLED);
      } else {
        await aborted(request.signal);
      }
    }
  }

  private pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.context.clock.after(Math.max(0, delayMs), done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  log(request: LogRequest): AsyncIterable<Uint8Array> {
    const { run, container } = this.find(request);
    if (request.previous === true) {
      if (container.previousLog === undefined) {
        const message = `previous terminated container "${container.name}" in pod "${request.pod}" not found`;
        throw new PodConsoleError(400, message);
      }
      return stream(container.previousLog, request);
    }
    if (container.state.kind === 'waiting' && container.log.end === 0) {
      const why = container.state.reason;
      const detail = WAITING[why] ?? `is waiting to start: ${why}`;
      throw new PodConsoleError(400, `container "${container.name}" in pod "${run.pod.metadata.name}" ${detail}`);
    }
    return stream(container.log, request);
  }

  /** Pods that ended before the last start are not run again; their logs were in memory. */
  private whyNotHere(pod: KubeObject): string {
    const { name } = pod.metadata;
    const host = stringAt(pod, 'spec', 'nodeName');
    if (host === undefined) return `pod ${name} does not have a host assigned`;
    if (this.kubelet === undefined) return `nodes "${host}" not found`;
    return `pod ${name} ended before the sandbox was started; its log is gone`;
  }

  private find(target: ContainerTarget): { run: PodRun; container: ContainerRun } {
    const pod = this.context.get(resources.pods, target.namespace, target.pod);
    if (pod === undefined) throw new PodConsoleError(404, `pods "${target.pod}" not found`);
    const run = this.kubelet?.run(pod.metadata.uid ?? '');
    if (run === undefined) {
      throw new PodConsoleError(400, this.whyNotHere(pod));
    }
    const name = target.container ?? pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    if (name === undefined || name === '') return { run, container: only(run, target.pod) };
    const container = run.all.find((each) => each.name === name);
    if (container === undefined) throw new PodConsoleError(400, `container ${name} is not valid for pod ${target.pod}`);
    return { run, container };
  }
}

const WAITING: { readonly [reason: string]: string } = {
  ErrImagePull: 'is waiting to start: trying and failing to pull image',
  ImagePullBackOff: 'is waiting to start: trying and failing to pull image',
};

function only(run: PodRun, pod: string): ContainerRun {
  const [first, second] = run.mains;
  if (first !== undefined && second === undefined) return first;
  const names = run.mains.map((each) => each.name).join(' ');
  const inits =
    run.inits.length === 0 ? '' : ` or one of the init containers: [${run.inits.map((each) => each.name).join(' ')}]`;
  throw new PodConsoleError(
    400,
    `a container name must be specified for pod ${pod}, choose one of: [${names}]${inits}`,
  );
}

/** With a terminal, stderr comes on stdout and lines end with CR LF. */
function outputs(request: ExecRequest): { stdout: Output; stderr: Output } {
  if (!request.tty) return { stdout: { write: request.onStdout }, stderr: { write: request.onStderr } };
  const terminal: Output = { write: (bytes) => request.onStdout(withCarriageReturns(bytes)) };
  return { stdout: terminal, stderr: terminal };
}

function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  const result: number[] = [];
  for (const [index, byte] of bytes.entries()) {
    if (byte === 10 && bytes[index - 1] !== 13) result.push(13);
    result.push(byte);
  }
  return Uint8Array.from(result);
}

/** Resolves when the signal is aborted; never without a signal. */
function aborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve(undefined);
    else signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function* stream(log: LogBuffer, request: LogRequest): AsyncGenerator<Uint8Array> {
  let at = firstLine(log, request);
  let left = request.limitBytes ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const end = log.end;
    const text = log
      .from(at)
      .filter((line) => isRecent(line, request))
      .map((line) => format(line, request))
      .join('');
    at = end;
    if (text !== '') {
      const bytes = encode(text).subarray(0, Math.min(left, limits.containerLogBytes * 2));
      left -= bytes.length;
      yield bytes;
    }
    if (request.follow !== true || left <= 0 || request.signal?.aborted === true) return;
    if (log.end > at) continue;
    if (log.closed) return;
    await nextLine(log, request.signal);
  }
}

function firstLine(log: LogBuffer, { tailLines }: LogRequest): number {
  return tailLines === undefined ? 0 : Math.max(0, log.end - tailLines);
}

function isRecent(line: ContainerLogLine, { sinceTimeMs }: LogRequest): boolean {
  return sinceTimeMs === undefined || line.timeMs >= sinceTimeMs;
}

function format(line: ContainerLogLine, { timestamps }: LogRequest): string {
  if (timestamps !== true) return `${line.text}\n`;
  const nanoseconds = `${String(line.timeMs % 1000).padStart(3, '0')}000000`;
  return `${formatTime(line.timeMs).slice(0, -1)}.${nanoseconds}Z ${line.text}\n`;
}

function nextLine(log: LogBuffer, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = log.onChange(done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
