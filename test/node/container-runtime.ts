import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arch } from 'node:process';
import type { JsonObject } from '@/lib/json/json';
import { enterCommand } from './enter';
import { type ExecTerminal, followSize, inTerminal } from './exec-terminal';
import type { LogFile } from './log-file';
import { pause, requireTool, runTool } from './tools';

/** How a container ended. `problem` is set when its program could not be started. */
export interface ContainerExit {
  readonly code: number;
  readonly isOutOfMemory: boolean;
  readonly problem?: string;
}

export interface RunningContainer {
  /** False when it ended before its program ran. */
  readonly started: Promise<boolean>;
  readonly exited: Promise<ContainerExit>;
}

export interface ExecOutput {
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Without one, the program has no terminal. */
  readonly terminal?: ExecTerminal | undefined;
}

/**
 * Containers through runc, in the foreground: the agent is their parent, reads their output and gets their exit codes. The root
 * file system is an overlay, so that the cache of images stays as it is.
 */
export class ContainerRuntime {
  constructor(
    private readonly folder: string,
    /** All containers of this agent are below it, so that a later start finds what is left. */
    readonly cgroup: string,
  ) {
    mkdirSync(join(folder, 'runc'), { recursive: true });
  }

  /** Makes the folder of a container with its root file system; `config` is called with its path. */
  async prepare(id: string, lower: string): Promise<string> {
    const bundle = join(this.folder, 'containers', id);
    for (const name of ['upper', 'work', 'root']) mkdirSync(join(bundle, name), { recursive: true });
    const options = `lowerdir=${lower},upperdir=${join(bundle, 'upper')},workdir=${join(bundle, 'work')}`;
    await requireTool('mount', ['-t', 'overlay', 'overlay', '-o', options, join(bundle, 'root')]);
    return bundle;
  }

  run(id: string, spec: JsonObject, log: LogFile): RunningContainer {
    const bundle = join(this.folder, 'containers', id);
    const logPath = join(bundle, 'runc.log');
    const pidPath = join(bundle, 'pid');
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec));
    // `cat` makes the output a pipe: programs open /dev/stdout again, which a socket of Node does not allow.
    const script = 'runc "$@" 2>&1 < /dev/null | cat; exit "${PIPESTATUS[0]}"';
    const args = [
      '--log',
      logPath,
      '--log-format',
      'json',
      'run',
      '--keep',
      '--bundle',
      bundle,
      '--pid-file',
      pidPath,
      id,
    ];
    const child = spawn('bash', ['-c', script, 'bash', ...this.rootArgs(), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk: Buffer) => log.write(chunk));
    let hasEnded = false;
    const exited = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 137))).then(
      async (code) => {
        hasEnded = true;
        log.close();
        const exit = { code, isOutOfMemory: this.wasOutOfMemory(id), ...problemOf(logPath, pidPath) };
        await runTool('runc', [...this.rootArgs(), 'delete', '--force', id]);
        return exit.problem === undefined ? exit : { ...exit, code: 128 };
      },
    );
    const started = (async () => {
      while (!hasEnded && !existsSync(pidPath)) await pause(POLL_MS);
      return existsSync(pidPath);
    })();
    return { started, exited };
  }

  /** Sends a signal to the first process; to all with KILL. */
  async kill(id: string, signal: string): Promise<void> {
    await runTool('runc', [...this.rootArgs(), 'kill', ...(signal === 'KILL' ? ['--all'] : []), id, signal]);
  }

  /** Removes what a container leaves. */
  async remove(id: string): Promise<void> {
    const bundle = join(this.folder, 'containers', id);
    await runTool('umount', ['--lazy', join(bundle, 'root')]);
    rmSync(bundle, { recursive: true, force: true });
  }

  private execs = 0;

  /** Runs a command beside a container's program. Resolves with its exit code; 137 when the signal ended it. */
  exec(id: string, process: JsonObject, output: ExecOutput): Promise<number> {
    const pid = this.pidOf(id);
    const container = { pid, cgroup: `${this.cgroup}/${id}`, hasInput: output.stdin !== undefined };
    if (output.terminal !== undefined) return this.execInTerminal(id, process, output, output.terminal);
    const command = enterCommand(process, container, arch);
    return command === undefined ? this.execByRunc(id, process, output) : execByEntering(command, output);
  }

  private execByRunc(id: string, process: JsonObject, output: ExecOutput): Promise<number> {
    return this.withRuncExec(id, process, output, (command) => command);
  }

  private execInTerminal(id: string, process: JsonObject, output: ExecOutput, terminal: ExecTerminal): Promise<number> {
    const { columns: width, rows: height } = terminal.size;
    const inside = { ...process, terminal: true, consoleSize: { width, height } };
    return this.withRuncExec(id, inside, output, (command, base) => {
      followSize(terminal, `${base}.tty`);
      return inTerminal(command, `${base}.tty`, terminal.size);
    });
  }

  /** @param wrap the command that is run, from that of runc and the base of the names of this run's files */
  private async withRuncExec(
    id: string,
    process: JsonObject,
    output: ExecOutput,
    wrap: (command: string[], base: string) => string[],
  ): Promise<number> {
    this.execs += 1;
    const base = join(this.folder, 'containers', id, `exec-${this.execs}`);
    writeFileSync(`${base}.json`, JSON.stringify(process));
    const runc = ['runc', ...this.rootArgs(), 'exec', '--process', `${base}.json`, '--pid-file', `${base}.pid`, id];
    const [program = '', ...args] = wrap(runc, base);
    try {
      return await execBy(program, args, output, (child) => killExec(child, `${base}.pid`));
    } finally {
      for (const suffix of ['json', 'pid', 'tty']) rmSync(`${base}.${suffix}`, { force: true });
    }
  }

  private pidOf(id: string): number {
    const path = join(this.folder, 'containers', id, 'pid');
    return Number(readFileSync(path, 'utf8'));
  }

  private rootArgs(): string[] {
    return ['--root', join(this.folder, 'runc')];
  }

  private wasOutOfMemory(id: string): boolean {
    const path = `/sys/fs/cgroup/memory${this.cgroup}/${id}/memory.oom_control`;
    return existsSync(path) && /oom_kill [1-9]/.test(readFileSync(path, 'utf8'));
  }
}

const POLL_MS = 20;

function execByEntering([program = '', ...args]: readonly string[], output: ExecOutput): Promise<number> {
  return execBy(program, args, output, (child) => child.kill('SIGTERM'));
}

/** Runs the program that runs a command; `end` kills both. */
async function execBy(
  program: string,
  args: readonly string[],
  output: ExecOutput,
  end: (child: ChildProcess) => void,
): Promise<number> {
  const child = spawn(program, [...args], { stdio: [output.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  child.stdout?.on('data', output.onStdout);
  child.stderr?.on('data', output.onStderr);
  feed(child, output.stdin);
  const onAbort = () => end(child);
  output.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? 137)));
    return output.signal?.aborted === true ? 137 : code;
  } finally {
    output.signal?.removeEventListener('abort', onAbort);
  }
}

/** What runc says when it could not start the program. */
function problemOf(logPath: string, pidPath: string): { problem?: string } {
  if (!existsSync(logPath) || existsSync(pidPath)) return {};
  const lines = readFileSync(logPath, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  const last = lines.at(-1);
  if (last === undefined) return {};
  return { problem: (JSON.parse(last) as { msg?: string }).msg ?? last };
}

function killExec(child: ChildProcess, pidPath: string): void {
  const pid = existsSync(pidPath) ? Number(readFileSync(pidPath, 'utf8')) : 0;
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  child.kill('SIGKILL');
}

function feed(child: ChildProcess, stdin: AsyncIterable<Uint8Array> | undefined): void {
  const input = child.stdin;
  if (stdin === undefined || input === null) return;
  // A program may end without reading all that it is sent.
  input.on('error', () => undefined);
  void (async () => {
    for await (const chunk of stdin) input.write(chunk);
    input.end();
  })();
}
