import type { ChannelSocket } from '@/server/kube/transport';

/** Files that `stat` and `tar` find in any pod, by path, and the commands that were run. */
export interface PodFiles {
  readonly contents: Map<string, Uint8Array>;
  readonly commands: string[][];
  /** What other programs do in any pod, by the name of the program; undefined for one that does not end. */
  readonly programs: Map<string, (pod: string) => ProgramEnd | undefined>;
  /** Breaks the connections of the next `count` commands before they answer. */
  breakNext(count: number): void;
  /** Answers one `pods/exec` request. */
  open(path: string, signal?: AbortSignal): ChannelSocket;
}

export interface ProgramEnd {
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

export function podFiles(): PodFiles {
  const contents = new Map<string, Uint8Array>();
  const commands: string[][] = [];
  const programs: PodFiles['programs'] = new Map();
  let broken = 0;
  return {
    contents,
    commands,
    programs,
    breakNext(count) {
      broken = count;
    },
    open(path, signal) {
      const { pathname, searchParams } = new URL(path, 'https://pod.invalid');
      const command = searchParams.getAll('command');
      commands.push(command);
      if (broken > 0) {
        broken--;
        return socket([]);
      }
      const program = programs.get(command[0] ?? '');
      if (program !== undefined) {
        const end = program(pathname.split('/').at(-2) ?? '');
        return end === undefined ? silentSocket(signal) : socket(framesOf(end));
      }
      return socket(answer(command, contents.get(command.at(-1) ?? '')));
    },
  };
}

function answer(command: readonly string[], content: Uint8Array | undefined): Uint8Array[] {
  const [program = ''] = command;
  if (content === undefined) return framesOf({ exitCode: 1, stderr: `${program}: No such file or directory` });
  const output = program === 'stat' ? Buffer.from(`${content.length}\n`) : tarOf(content);
  return [frame(STDOUT, output), frame(STATUS, JSON.stringify({ status: 'Success' }))];
}

function framesOf({ exitCode, stdout = '', stderr = '' }: ProgramEnd): Uint8Array[] {
  const details = { causes: [{ reason: 'ExitCode', message: String(exitCode) }] };
  const failure = { status: 'Failure', reason: 'NonZeroExitCode', message: 'command terminated', details };
  const status = exitCode === 0 ? { status: 'Success' } : failure;
  return [frame(STDOUT, stdout), frame(STDERR, stderr), frame(STATUS, JSON.stringify(status))];
}

/** A command that ends only with its connection. */
function silentSocket(signal: AbortSignal | undefined): ChannelSocket {
  return {
    ...socket([]),
    messages: (async function* () {
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    })(),
  };
}

function frame(channel: number, payload: Uint8Array | string): Uint8Array {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(payload)]);
}

function socket(messages: readonly Uint8Array[]): ChannelSocket {
  return {
    protocol: 'v5.channel.k8s.io',
    messages: (async function* () {
      yield* messages;
    })(),
    send: () => {},
    close: () => {},
  };
}

/** A tar stream of one file (POSIX ustar: name 0, size in octal at 124, type at 156, blocks of 512). */
function tarOf(content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(512);
  header.write('file', 0);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('0', 156);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding, Buffer.alloc(1024)]);
}
