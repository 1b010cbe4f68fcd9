import type { ChannelSocket } from '@/server/kube/transport';

/** Files that `stat` and `tar` find in any pod, by path, and the commands that were run. */
export interface PodFiles {
  readonly contents: Map<string, Uint8Array>;
  readonly commands: string[][];
  /** Breaks the connections of the next `count` commands before they answer. */
  breakNext(count: number): void;
  /** Answers one `pods/exec` request. */
  open(path: string): ChannelSocket;
}

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

export function podFiles(): PodFiles {
  const contents = new Map<string, Uint8Array>();
  const commands: string[][] = [];
  let broken = 0;
  return {
    contents,
    commands,
    breakNext(count) {
      broken = count;
    },
    open(path) {
      const command = new URL(path, 'https://pod.invalid').searchParams.getAll('command');
      commands.push(command);
      if (broken > 0) {
        broken--;
        return socket([]);
      }
      return socket(answer(command, contents.get(command.at(-1) ?? '')));
    },
  };
}

function answer(command: readonly string[], content: Uint8Array | undefined): Uint8Array[] {
  const [program = ''] = command;
  if (content === undefined) {
    const details = { causes: [{ reason: 'ExitCode', message: '1' }] };
    const status = { status: 'Failure', reason: 'NonZeroExitCode', message: 'command terminated', details };
    return [frame(STDERR, `${program}: No such file or directory`), frame(STATUS, JSON.stringify(status))];
  }
  const output = program === 'stat' ? Buffer.from(`${content.length}\n`) : tarOf(content);
  return [frame(STDOUT, output), frame(STATUS, JSON.stringify({ status: 'Success' }))];
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
