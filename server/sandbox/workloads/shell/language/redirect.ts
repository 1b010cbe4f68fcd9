import { limits } from '@/lib/limits/limits';
import { expandText } from './expand';
import { FileError } from './file-tree';
import { Collector, encode, InputStream, nowhere, type Output, print, type Streams } from './io';
import type { Steps } from './process';
import type { ShellSession } from './session';
import type { Redirect } from './syntax';

/** The streams of a command with its redirections; `close` writes what was collected. */
export interface Opened {
  readonly streams: Streams;
  readonly close: () => void;
}

/** Opens the redirections of a command in their order; undefined when one failed and was reported. */
export function* redirect(session: ShellSession, redirects: readonly Redirect[]): Steps<Opened | undefined> {
  let { stdin } = session.streams;
  const outputs: Output[] = [nowhere, session.streams.stdout, session.streams.stderr];
  const files: FileOutput[] = [];
  const open = (name: string, append: boolean): Output => {
    const known = outputs[['/dev/null', '/dev/stdout', '/dev/stderr'].indexOf(name)];
    if (known !== undefined) return known;
    const file = new FileOutput(session, name, append);
    files.push(file);
    return file;
  };
  for (const { fds, operator, target } of redirects) {
    const text = yield* expandText(session, target);
    try {
      if (operator === '<<') stdin = new InputStream(encode(text));
      if (operator === '<') stdin = input(session, text);
      if (!operator.startsWith('>')) continue;
      const output = operator === '>&' ? (outputs[Number(text)] ?? nowhere) : open(text, operator === '>>');
      for (const fd of fds) outputs[fd] = output;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const action = operator === '<' ? 'open' : 'create';
      print(session.streams.stderr, `${session.name}: can't ${action} ${text}: ${error.message}\n`);
      return undefined;
    }
  }
  const [, stdout = nowhere, stderr = nowhere] = outputs;
  const close = (): void => {
    for (const file of files) file.close();
  };
  return { streams: { stdin, stdout, stderr }, close };
}

/** A file to read. A container's own command goes on without one that is missing: only `false` and `exit` fail there. */
function input(session: ShellSession, name: string): InputStream {
  if (name === '/dev/null') return new InputStream();
  if (session.host.role !== 'main' || session.node(name) !== undefined) return new InputStream(session.read(name));
  const problem = 'No such file or directory; the sandbox reads it as empty';
  print(session.streams.stderr, `${session.name}: can't open ${name}: ${problem}\n`);
  return new InputStream();
}

/** Collects what is written and puts it into the file when the command ends; the file exists at once. */
class FileOutput extends Collector {
  constructor(
    private readonly session: ShellSession,
    private readonly name: string,
    append: boolean,
  ) {
    super(limits.shellFileBytes);
    if (append && session.node(name) !== undefined) this.write(session.read(name));
    session.write(name, this.bytes());
  }

  close(): void {
    this.session.write(this.name, this.bytes());
  }
}
