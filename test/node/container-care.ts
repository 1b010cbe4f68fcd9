import { messageOf } from '@/lib/errors/errors';
import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { ExecOutput } from './container-runtime';
import type { PodContext } from './node-parts';
import { type ProbeTarget, probeOnce, repeatProbe } from './probe';
import { pause } from './tools';

export interface CareListener {
  /** Runs a command beside the container's program. */
  readonly exec: (command: readonly string[], output: ExecOutput) => Promise<number>;
  readonly onStarted: () => void;
  readonly onReady: (isReady: boolean) => void;
  /** A hook or probe failed: the reason and message of an event. */
  readonly onProblem: (reason: string, message: string) => void;
  /** Ends the run within the grace period. */
  readonly end: (graceMs: number) => Promise<void>;
}

/** What goes on beside a container's program: hooks and probes. */
export class ContainerCare {
  constructor(
    private readonly spec: JsonValue,
    private readonly context: PodContext,
    private readonly listener: CareListener,
  ) {}

  /** The postStart hook, then the startup probe, then the others, until the signal. */
  async accompany(signal: AbortSignal): Promise<void> {
    const postStart = getAt(this.spec, 'lifecycle', 'postStart');
    if (postStart !== undefined) {
      const problem = await this.runHook(postStart, Number.POSITIVE_INFINITY).catch(messageOf);
      if (signal.aborted) return;
      if (problem !== undefined) return this.fail('FailedPostStartHook', `PostStartHook failed: ${problem}`, undefined);
    }
    const startup = getAt(this.spec, 'startupProbe');
    if (startup === undefined) return this.startProbing(signal);
    const begun = new AbortController();
    const onResult = (passed: boolean, why: string) => {
      begun.abort();
      if (passed) this.startProbing(signal);
      else void this.fail('Unhealthy', `Startup probe failed: ${why}`, startup);
    };
    await repeatProbe(startup, this.probeTarget(), { onResult }, AbortSignal.any([signal, begun.signal]));
  }

  private startProbing(signal: AbortSignal): void {
    this.listener.onStarted();
    const readiness = getAt(this.spec, 'readinessProbe');
    const liveness = getAt(this.spec, 'livenessProbe');
    if (readiness === undefined) {
      this.listener.onReady(true);
    } else {
      const onResult = (passed: boolean, why: string) => {
        if (!passed) this.listener.onProblem('Unhealthy', `Readiness probe failed: ${why}`);
        this.listener.onReady(passed);
      };
      void repeatProbe(readiness, this.probeTarget(), { onResult }, signal);
    }
    if (liveness !== undefined) {
      const onResult = (passed: boolean, why: string) => {
        if (!passed) void this.fail('Unhealthy', `Liveness probe failed: ${why}`, liveness);
      };
      void repeatProbe(liveness, this.probeTarget(), { onResult }, signal);
    }
  }

  /** Ends this run; what comes then is the restart policy's. */
  private async fail(reason: string, message: string, probe: JsonValue | undefined): Promise<void> {
    this.listener.onProblem(reason, message);
    const { pod } = this.context;
    const seconds =
      numberAt(probe, 'terminationGracePeriodSeconds') ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds');
    await this.listener.end((seconds ?? 30) * 1_000);
  }

  /** Resolves with the reason of a failure. */
  async runHook(hook: JsonValue, timeoutMs: number): Promise<string | undefined> {
    const sleepSeconds = numberAt(hook, 'sleep', 'seconds');
    if (sleepSeconds !== undefined) {
      await pause(sleepSeconds * 1_000);
      return undefined;
    }
    const target = this.probeTarget();
    const exec = getAt(hook, 'exec');
    if (exec === undefined) return probeOnce({ timeoutSeconds: 30, ...(hook as object) }, target);
    const { code, output } = await target.exec(arrayAt(exec, 'command').map(String), timeoutMs);
    return code === 0 ? undefined : `exit code ${code}: ${output.trim().slice(0, 500)}`;
  }

  private probeTarget(): ProbeTarget {
    return {
      address: this.context.address,
      portOf: (port) => {
        if (typeof port === 'number') return port;
        const named = arrayAt(this.spec, 'ports').find((each) => stringAt(each, 'name') === port);
        return numberAt(named, 'containerPort') ?? Number(port);
      },
      exec: async (command, timeoutMs) => {
        let output = '';
        const take = (chunk: Buffer) => {
          output += chunk.toString('utf8');
        };
        const signal = Number.isFinite(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined;
        const code = await this.listener.exec(command, { onStdout: take, onStderr: take, signal });
        return { code, output: signal?.aborted === true ? `command timed out after ${timeoutMs} ms` : output };
      },
    };
  }
}
