import { formatTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { SIMULATED_PREFIX } from '@/lib/kudo/health-checks/outcome';
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
import { commandNotFound } from '../shell/language/interpreter';
import { encode, InputStream, type Output } from '../shell/language/io';
import { Process } from '../shell/language/process';
import type { ProgramCall } from '../shell/language/session';
import { simulatedLine } from '../shell/programs/simulated';
import { runProgram } from '../shell/shell';
import { ConfigProblem } from './config-sources';
import type { ContainerRun } from './container-run';
import type { Kubelet } from './kubelet';
import { FIRST_SIZE, LineDiscipline } from './line-discipline';
import type { ContainerLogLine, LogBuffer } from './log-buffer';
import type { PodRun } from './pod-run';

const KILLED = 137;

/** `pods/exec` and `pods/log` over the simulated pods. */
export class KubeletConsole implements PodConsole {
  constructor(
    private readonly context: WorkloadContext,
    private readonly kubelet: Kubelet,
  ) {}

  async exec(request: ExecRequest): Promise<ExecResult> {
    const { run, container } = this.find(request);
    if (container.state.kind !== 'running') {
      throw new PodConsoleError(500, `container not found ("${container.name}")`);
    }
    const simulated = new SimulatedCalls(request);
    const process = this.start(run, container, simulated.request, simulated);
    const exitCode = await this.drive(process, request);
    simulated.sayAtEnd();
    return { exitCode };
  }

  /** Throws when a ConfigMap or Secret that the container was created from no longer exists. */
  private start(
    run: PodRun,
    container: ContainerRun,
    request: ExecRequest,
    { unknown, onSimulated }: SimulatedCalls,
  ): Process {
    const isTerminal = hasTerminal(request);
    const stdin = new InputStream(undefined, request.stdin !== undefined, isTerminal);
    const terminal = isTerminal ? { size: request.terminalSize ?? (() => FIRST_SIZE) } : undefined;
    try {
      const surroundings = container.surroundings(run.pod, run.volumes);
      const streams = { stdin, ...outputs(request) };
      const steps = runProgram({
        ...{ ...surroundings, argv: request.command, streams, role: 'exec' },
        ...{ unknown, onSimulated, terminal },
      });
      return new Process(steps, this.context.clock);
    } catch (error) {
      if (error instanceof ConfigProblem) throw new PodConsoleError(500, error.message);
      throw error;
    }
  }

  private async drive(process: Process, request: ExecRequest): Promise<number> {
    const { clock } = this.context;
    const { signal } = request;
    const input = inputOf(request);
    const isGone = (): boolean => signal?.aborted === true;
    for (;;) {
      const { state } = process;
      if (state.kind === 'exited') return state.exitCode;
      // Nobody could ever end what runs for ever without a caller.
      if (isGone() || (state.kind === 'forever' && signal === undefined)) process.kill(KILLED);
      else if (state.kind === 'read') {
        const next = await input.read(signal);
        if (isGone()) continue;
        if (next === 'interrupt') process.interrupt();
        else process.feed(next);
      } else if (input.isInterrupted()) process.interrupt();
      else {
        const waitMs = state.kind === 'sleeping' ? Math.max(0, state.untilMs - clock.monotonic()) : undefined;
        await until(signal, (done) => {
          const [timer, typed] = [waitMs === undefined ? undefined : clock.after(waitMs, done), input.onEvent(done)];
          return {
            cancel() {
              timer?.cancel();
              typed.cancel();
            },
          };
        });
        process.poll();
      }
    }
  }

  log(request: LogRequest): AsyncIterable<Uint8Array> {
    const { run, container } = this.find(request);
    const { state } = container;
    const named = `container "${container.name}" in pod "${run.pod.metadata.name}"`;
    if (request.previous === true) {
      if (container.previousLog !== undefined) return stream(container.previousLog, request);
      throw new PodConsoleError(400, `previous terminated ${named} not found`);
    }
    if (state.kind === 'waiting' && container.log.end === 0) {
      const why = /ImagePull/.test(state.reason) ? 'trying and failing to pull image' : state.reason;
      throw new PodConsoleError(400, `${named} is waiting to start: ${why}`);
    }
    return stream(container.log, request);
  }

  /** Pods that ended before the last start are not run again; their logs were in memory. */
  private whyNotHere(pod: KubeObject): string {
    const { name } = pod.metadata;
    const host = stringAt(pod, 'spec', 'nodeName');
    if (host === undefined) return `pod ${name} does not have a host assigned`;
    return `pod ${name} ended before the sandbox was started; its log is gone`;
  }

  private find(target: ContainerTarget): { run: PodRun; container: ContainerRun } {
    const pod = this.context.get(resources.pods, target.namespace, target.pod);
    if (pod === undefined) throw new PodConsoleError(404, `pods "${target.pod}" not found`);
    const run = this.kubelet.run(pod.metadata.uid ?? '');
    if (run === undefined) throw new PodConsoleError(400, this.whyNotHere(pod));
    const name = target.container || pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    const [only, second] = run.mains;
    const container = name ? run.all.find((each) => each.name === name) : second === undefined ? only : undefined;
    if (container !== undefined) return { run, container };
    if (name) throw new PodConsoleError(400, `container ${name} is not valid for pod ${target.pod}`);
    const names = (containers: readonly ContainerRun[]): string => `[${containers.map((each) => each.name).join(' ')}]`;
    const inits = run.inits.length === 0 ? '' : ` or one of the init containers: ${names(run.inits)}`;
    const choices = `choose one of: ${names(run.mains)}${inits}`;
    throw new PodConsoleError(400, `a container name must be specified for pod ${target.pod}, ${choices}`);
  }
}

/**
 * Remembers that a command called a program that the sandbox only simulates, or does not have. A script may hide what such a program
 * prints; the last line on stderr says so to whoever judges the result (health checks do).
 */
class SimulatedCalls {
  readonly request: ExecRequest;
  private name = '';
  private isSaid = false;

  constructor(private readonly original: ExecRequest) {
    const onStderr = (chunk: Uint8Array): void => {
      this.isSaid ||= Buffer.from(chunk).includes(SIMULATED_PREFIX);
      original.onStderr(chunk);
    };
    this.request = { ...original, onStderr };
  }

  readonly onSimulated = (argv: readonly string[]): void => {
    this.name ||= argv[0] ?? '';
  };

  readonly unknown = (call: ProgramCall): number => {
    this.onSimulated(call.argv);
    return commandNotFound(call);
  };

  sayAtEnd(): void {
    if (this.name === '' || this.isSaid || this.original.tty) return;
    this.original.onStderr(encode(simulatedLine(this.name)));
  }
}

function hasTerminal({ tty, stdin }: ExecRequest): boolean {
  return tty && stdin !== undefined;
}

/** What a command reads, and what interrupts it. */
interface CommandInput {
  /** The next chunk, undefined at the end. */
  read(signal: AbortSignal | undefined): Promise<Uint8Array | 'interrupt' | undefined>;
  isInterrupted(): boolean;
  onEvent(listener: () => void): { cancel(): void };
}

const NO_EVENTS = { isInterrupted: () => false, onEvent: () => ({ cancel: () => {} }) };

/** Without a terminal the bytes as they come, read when the command reads; with one, whole lines, and Ctrl-C at any time. */
function inputOf(request: ExecRequest): CommandInput {
  const { stdin, onStdout } = request;
  if (stdin === undefined || !hasTerminal(request)) {
    const chunks = stdin?.[Symbol.asyncIterator]();
    return {
      ...NO_EVENTS,
      async read(signal) {
        const next = await Promise.race([chunks?.next(), until(signal)]);
        return next?.done === false ? next.value : undefined;
      },
    };
  }
  const terminal = new LineDiscipline(onStdout);
  void (async () => {
    for await (const bytes of stdin) terminal.type(bytes);
    terminal.close();
  })();
  return {
    isInterrupted: () => terminal.next(false) === 'interrupt',
    onEvent: (listener) => terminal.onEvent(listener),
    async read(signal) {
      for (;;) {
        const event = terminal.next(true);
        if (event === 'interrupt' || signal?.aborted === true) return 'interrupt';
        if (event !== undefined) return event === 'end' ? undefined : event.line;
        await until(signal, (done) => terminal.onEvent(done));
      }
    },
  };
}

/** With a terminal, stderr comes on stdout and lines end with CR LF. */
function outputs(request: ExecRequest): { stdout: Output; stderr: Output } {
  if (!request.tty) return { stdout: { write: request.onStdout }, stderr: { write: request.onStderr } };
  const terminal: Output = { write: (bytes) => request.onStdout(withCarriageReturns(bytes)) };
  return { stdout: terminal, stderr: terminal };
}

function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}

/** Resolves when `subscribe` calls back, or when the signal is aborted; the subscription is cancelled then. */
async function until(
  signal: AbortSignal | undefined,
  subscribe: (done: () => void) => { cancel(): void } = () => ({ cancel: () => {} }),
): Promise<undefined> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      subscription.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const subscription = subscribe(done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

async function* stream(log: LogBuffer, request: LogRequest): AsyncGenerator<Uint8Array> {
  const { tailLines, sinceTimeMs = 0, limitBytes, follow, signal } = request;
  let at = tailLines === undefined ? 0 : Math.max(0, log.end - tailLines);
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const lines = log.from(at).filter((line) => line.timeMs >= sinceTimeMs);
    at = log.end;
    if (lines.length > 0) {
      const bytes = encode(lines.map((line) => format(line, request)).join(''));
      const chunk = bytes.subarray(0, Math.min(left, limits.containerLogBytes * 2));
      left -= chunk.length;
      yield chunk;
    }
    if (follow !== true || left <= 0 || signal?.aborted === true) return;
    if (log.end > at) continue;
    if (log.closed) return;
    await until(signal, (done) => log.onChange(done));
  }
}

function format(line: ContainerLogLine, { timestamps }: LogRequest): string {
  if (timestamps !== true) return `${line.text}\n`;
  const nanoseconds = `${String(line.timeMs % 1000).padStart(3, '0')}000000`;
  return `${formatTime(line.timeMs).slice(0, -1)}.${nanoseconds}Z ${line.text}\n`;
}
