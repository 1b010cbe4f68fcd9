import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import type { FileTree } from '../shell/language/file-tree';
import { InputStream, print } from '../shell/language/io';
import { Process } from '../shell/language/process';
import type { ProgramCall } from '../shell/language/session';
import { simulatedLine } from '../shell/programs/simulated';
import { programs, type RunRequest, runProgram } from '../shell/shell';
import { endIfStuck, Questions } from '../shell/waiting';
import { newTree } from './claim-volumes';
import { environmentOf, expandReferences } from './environment';
import { LogBuffer } from './log-buffer';
import { hostNameOf, restartPolicyOf } from './pod-fields';
import { TerminationMessage } from './termination-message';
import type { PodVolumes } from './volumes';

/** What a container does now, as `containerStatuses[].state` shows it. Times are wall milliseconds. */
export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string | undefined }
  | { readonly kind: 'running'; readonly startedMs: number }
  | Terminated;

export interface Terminated {
  readonly kind: 'terminated';
  readonly exitCode: number;
  readonly startedMs: number;
  readonly finishedMs: number;
  /** What the container wrote for this; empty when it wrote nothing. */
  readonly message: string;
}

/** One container of a simulated pod, through all of its restarts. */
export class ContainerRun {
  readonly name: string;
  state: ContainerState;
  last: Terminated | undefined;
  restartCount = 0;
  /** When the state may change next, on the monotonic clock: a waiting container starts, a running one may end. */
  dueMs = 0;
  /** When a running one counts as ready. */
  readyMs = 0;
  pullFailures = 0;
  log: LogBuffer;
  previousLog: LogBuffer | undefined;
  process: Process | undefined;
  private message: TerminationMessage | undefined;
  readonly root: FileTree = newTree();

  constructor(
    readonly spec: JsonValue,
    readonly isInit: boolean,
    private readonly context: WorkloadContext,
    /** Added to a running pod; it never runs again after its end. */
    readonly isEphemeral = false,
  ) {
    this.name = stringAt(spec, 'name') ?? '';
    this.state = { kind: 'waiting', reason: 'ContainerCreating' };
    this.log = new LogBuffer(() => context.clock.now());
  }

  get image(): string {
    return stringAt(this.spec, 'image') ?? '';
  }

  /** A sidecar: an init container that stays (`restartPolicy: Always`). */
  get isSidecar(): boolean {
    return this.isInit && stringAt(this.spec, 'restartPolicy') === 'Always';
  }

  /** What a command in this container finds; throws a ConfigProblem when its environment or volumes cannot be made. */
  surroundings(pod: KubeObject, volumes: PodVolumes): Omit<RunRequest, 'argv' | 'streams' | 'role'> {
    return {
      env: environmentOf(this.context, pod, this.spec),
      cwd: stringAt(this.spec, 'workingDir') ?? '/',
      files: volumes.filesFor(pod, this.spec, this.root),
      clock: this.context.clock,
      hostname: hostNameOf(pod),
      ip: stringAt(pod, 'status', 'podIP') ?? '',
    };
  }

  /** Starts its command; throws a ConfigProblem as {@link surroundings} does. */
  start(pod: KubeObject, volumes: PodVolumes): void {
    const surroundings = this.surroundings(pod, volumes);
    const { env, files, cwd } = surroundings;
    if (this.log.end > 0) {
      this.previousLog = this.log;
      this.log = new LogBuffer(() => this.context.clock.now());
    }
    const argv = this.commandLine(env);
    if (files.get(cwd) === undefined) files.makeDirectories(cwd);
    this.message = new TerminationMessage(this.spec, files);
    this.state = { kind: 'running', startedMs: this.context.clock.now() };
    if (argv === undefined) {
      // The image's own program is not run.
      this.process = undefined;
      this.log.line(simulatedLine([`image ${this.image}`, ...arrayAt(this.spec, 'args')].join(' ')).trimEnd());
      return;
    }
    const streams = { stdin: new InputStream(), stdout: this.log, stderr: this.log };
    const questions = new Questions();
    const unknown = (call: ProgramCall): number => {
      questions.ask(call.argv);
      print(call.streams.stderr, simulatedLine(call.argv.join(' ')));
      return 0;
    };
    const onSimulated = (asked: readonly string[]): void => questions.ask(asked);
    const steps = runProgram({ ...surroundings, argv, streams, unknown, role: 'main', onSimulated });
    const report = (question: string) =>
      this.log.line(`simulated by the Bravo sandbox: "${question}" gives no answer, so the script ends here as done`);
    const ends = !this.isSidecar && (this.isInit || restartPolicyOf(pod) !== 'Always');
    this.process = new Process(ends ? endIfStuck(steps, questions, report) : steps, this.context.clock);
  }

  /** Command and arguments; undefined when the image's own program runs. */
  private commandLine(env: ReadonlyMap<string, string>): string[] | undefined {
    const command = arrayAt(this.spec, 'command').map((part) => expandReferences(String(part), env));
    const args = arrayAt(this.spec, 'args').map((part) => expandReferences(String(part), env));
    if (command.length > 0) return [...command, ...args];
    const first = args[0]?.split('/').at(-1) ?? '';
    return programs.has(first) ? args : undefined;
  }

  /** Ends with an exit code; the log is complete. */
  finish(exitCode: number): void {
    const startedMs = this.state.kind === 'running' ? this.state.startedMs : this.context.clock.now();
    this.process?.kill(exitCode);
    this.process = undefined;
    this.log.close();
    const message = this.message?.read(exitCode, this.log) ?? '';
    this.state = { kind: 'terminated', exitCode, startedMs, finishedMs: this.context.clock.now(), message };
  }

  /** Waits, e.g. in a back-off; what it did before becomes its last state. */
  wait(reason: string, message: string | undefined, dueMs: number): void {
    if (this.state.kind === 'terminated') this.last = this.state;
    this.state = { kind: 'waiting', reason, message };
    this.dueMs = dueMs;
  }
}
