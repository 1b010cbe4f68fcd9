import type { Clock } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';
import { splitPath, type TreeNode } from './file-tree';
import { OverLimit, type Streams } from './io';
import type { MountedFiles } from './mounted-files';
import type { Steps } from './process';
import type { Command, List } from './syntax';

/** One command as it was called. */
export interface ProgramCall {
  readonly argv: readonly string[];
  readonly streams: Streams;
  readonly session: ShellSession;
}

/** A program or builtin; the exit code is its result. */
export type ShellProgram = (call: ProgramCall) => number | Steps<number>;

/** What is around a process: its files, time, the programs it knows, and how it runs an unknown one. */
export interface ShellHost {
  readonly files: MountedFiles;
  readonly clock: Clock;
  readonly hostname: string;
  readonly ip: string;
  /** The terminal that it is at, where there is one. */
  readonly terminal?: { size(): { readonly columns: number; readonly rows: number } } | undefined;
  /**
   * `main`: the command of a container, whose image is unknown: a program or file that only the image has is assumed to exist and to
   * work. `exec`: a person runs a command in the container, and sees which files do not exist.
   */
  readonly role: 'main' | 'exec';
  /** Programs by name, builtins included. */
  readonly programs: ReadonlyMap<string, ShellProgram>;
  /** Runs a list; for command substitutions (interpreter.ts, which also expands). */
  readonly runList: (session: ShellSession, list: List) => Steps<number>;
  /** Runs a program that is not among them; without it the status is 127. */
  readonly unknown?: ShellProgram | undefined;
  /** Called for every call of a simulated program. */
  readonly onSimulated?: ((argv: readonly string[]) => void) | undefined;
}

/** `exit`: ends the process. */
export class ExitSignal {
  constructor(readonly exitCode: number) {}
}

/** `break`, `continue` and `return` on their way up. */
export class JumpSignal {
  constructor(
    readonly kind: 'break' | 'continue' | 'return',
    readonly value: number,
  ) {}
}

/** Variables by name; their size together is limited. */
class Variables extends Map<string, string> {
  private chars = 0;

  override set(name: string, value: string): this {
    this.chars += value.length - (this.get(name)?.length ?? 0);
    if (this.chars > limits.shellTextChars) throw new OverLimit('variables too large');
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.chars -= this.get(name)?.length ?? 0;
    return super.delete(name);
  }
}

/** What a shell knows while it runs: variables, functions, parameters, options, streams, the working directory. */
export class ShellSession {
  readonly variables: Map<string, string> = new Variables();
  readonly exported = new Set<string>();
  readonly functions = new Map<string, Command>();
  readonly options = { errexit: false, pipefail: false, xtrace: false, nounset: false };
  parameters: readonly string[] = [];
  name = 'sh';
  cwd = '/';
  status = 0;
  /** Above 0 while a failing command does not end the shell: tests of `if`, left sides of `&&` … */
  guarded = 0;
  private budget = { steps: limits.shellSteps };

  constructor(
    readonly host: ShellHost,
    public streams: Streams,
  ) {}

  /** A subshell: copies everything, shares files and budget. */
  fork(streams: Partial<Streams> = {}): ShellSession {
    const copy = new ShellSession(this.host, { ...this.streams, ...streams });
    for (const [name, value] of this.variables) copy.variables.set(name, value);
    for (const name of this.exported) copy.exported.add(name);
    for (const [name, body] of this.functions) copy.functions.set(name, body);
    const { parameters, name, cwd, status, guarded, budget } = this;
    Object.assign(copy, { parameters, name, cwd, status, guarded, budget, options: { ...this.options } });
    return copy;
  }

  export(name: string, value: string): void {
    this.variables.set(name, value);
    this.exported.add(name);
  }

  /** Counts one step of work; too many end the process. */
  step(): void {
    if (--this.budget.steps < 0) throw new OverLimit('too many steps');
  }

  /** A person at a terminal has the whole budget for each line. */
  renewBudget(): void {
    this.budget.steps = limits.shellSteps;
  }

  /** An absolute path, seen from the working directory. */
  path(given: string): string {
    return `/${splitPath(given.startsWith('/') ? given : `${this.cwd}/${given}`).join('/')}`;
  }

  /** A file or directory, seen from the working directory. */
  node(given: string): TreeNode | undefined {
    return this.host.files.get(this.path(given));
  }

  /** The content of a file; throws a FileError when it cannot be read. */
  read(given: string): Uint8Array {
    return this.host.files.read(this.path(given));
  }

  write(given: string, content: Uint8Array): void {
    this.host.files.write(this.path(given), content);
  }
}
