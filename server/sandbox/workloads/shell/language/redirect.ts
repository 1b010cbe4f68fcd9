import type { Steps } from './effects';
import { expandText } from './expand';
import { FileError } from './file-tree';
import { Collector, concat, encode, InputStream, nowhere, type Output, print, type Streams } from './io';
import type { ShellSession } from './session';
import type { Redirect } from './syntax';

/** The streams of a command with its redirections; `close` writes what was collected. */
export interface Opened {
  readonly streams: Streams;
  readonly close: () => void;
}

/** Opens the redirections of a command in their order; undefined when one failed and was reported. */
export function* redirect(
  session: ShellSession,
  redirects: readonly Redirect[],
  streams: Streams,
): Steps<Opened | undefined> {
  let stdin = streams.stdin;
  const outputs = new Map<number, Output>([
    [1, streams.stdout],
    [2, streams.stderr],
  ]);
  const files: FileOutput[] = [];
  for (const { fd, operator, target } of redirects) {
    const text = yield* expandText(session, target, streams);
    try {
      if (operator === '<<') stdin = InputStream.of(encode(text));
      else if (operator === '<') stdin = text === '/dev/null' ? InputStream.empty() : input(session, text, streams);
      else if (operator === '>&') outputs.set(fd, text === '-' ? nowhere : (outputs.get(Number(text)) ?? nowhere));
      else if (operator === '>' || operator === '>>') {
        const output = openOutput(session, text, operator === '>>', { outputs, files });
        for (const each of fd === -1 ? [1, 2] : [fd]) outputs.set(each, output);
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      print(
        streams.stderr,
        `${session.name}: can't ${operator === '<' ? 'open' : 'create'} ${text}: ${error.message}\n`,
      );
      return undefined;
    }
  }
  const opened = { stdin, stdout: outputs.get(1) ?? nowhere, stderr: outputs.get(2) ?? nowhere };
  return { streams: opened, close: () => closeAll(files) };
}

/** A file to read. A container's own command goes on without one that is missing: only `false` and `exit` fail there. */
function input(session: ShellSession, target: string, streams: Streams): InputStream {
  const path = session.path(target);
  if (session.host.role !== 'main' || session.host.files.get(path) !== undefined) {
    return InputStream.of(session.host.files.read(path));
  }
  print(
    streams.stderr,
    `${session.name}: can't open ${target}: No such file or directory; the sandbox reads it as empty\n`,
  );
  return InputStream.empty();
}

function closeAll(files: readonly FileOutput[]): void {
  for (const file of files) file.close();
}

interface Open {
  readonly outputs: ReadonlyMap<number, Output>;
  readonly files: FileOutput[];
}

function openOutput(session: ShellSession, target: string, append: boolean, open: Open): Output {
  if (target === '/dev/null') return nowhere;
  if (target === '/dev/stdout') return open.outputs.get(1) ?? nowhere;
  if (target === '/dev/stderr') return open.outputs.get(2) ?? nowhere;
  const file = new FileOutput(session, session.path(target), append);
  open.files.push(file);
  return file;
}

/** Collects what is written and puts it into the file when the command ends; the file exists at once. */
class FileOutput implements Output {
  private readonly chunks: Uint8Array[] = [];
  private readonly collector: Collector;

  constructor(
    private readonly session: ShellSession,
    private readonly path: string,
    append: boolean,
  ) {
    const files = session.host.files;
    const before = append && files.get(path) !== undefined ? files.read(path) : new Uint8Array(0);
    this.collector = new Collector(session.host.limits.fileBytes);
    this.chunks.push(before);
    files.write(path, before, { nowMs: session.nowMs() });
  }

  write(bytes: Uint8Array): void {
    this.collector.write(bytes);
  }

  close(): void {
    const added = this.collector.bytes();
    if (added.length === 0) return;
    const content = concat([...this.chunks, added]);
    this.session.host.files.write(this.path, content, { nowMs: this.session.nowMs() });
  }
}
