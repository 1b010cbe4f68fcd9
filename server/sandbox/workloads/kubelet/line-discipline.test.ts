import { describe, expect, it } from 'vitest';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';
import { LineDiscipline, type TypedEvent } from './line-discipline';

/** A terminal in a running pod: what is typed into it, and what it shows. */
async function openShell(command: readonly string[] = ['sh']) {
  const cluster = new TestCluster();
  const containers = [{ name: 'app', image: 'busybox', command: ['sleep', 'infinity'] }];
  cluster.create(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'demo' },
    spec: { containers },
  });
  await cluster.advance(30_000);
  const typed: Uint8Array[] = [];
  let wake: () => void = () => {};
  let shown = '';
  let size = { columns: 80, rows: 24 };
  const ended = cluster.workloads.podConsole.exec({
    namespace: 'demo',
    pod: 'web',
    command,
    tty: true,
    terminalSize: () => size,
    signal: new AbortController().signal,
    stdin: (async function* () {
      for (;;) {
        const next = typed.shift();
        if (next !== undefined) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    })(),
    onStdout: (bytes) => {
      shown += Buffer.from(bytes).toString();
    },
    onStderr: () => {},
  });
  await cluster.settle();
  return {
    ended,
    resize: (columns: number, rows: number) => {
      size = { columns, rows };
    },
    /** Types a text; what the terminal shows from then on. */
    async type(text: string) {
      shown = '';
      typed.push(Buffer.from(text));
      wake();
      await cluster.settle();
      return shown;
    },
    prompt: shown,
  };
}

describe('a shell at a terminal', () => {
  it('shows a prompt, what is typed, and what it prints', async () => {
    const shell = await openShell();
    expect(shell.prompt).toBe('/ # ');
    expect(await shell.type('echo hel')).toBe('echo hel');
    expect(await shell.type('lo\x7fo; cd /tmp\r')).toBe('lo\b \bo; cd /tmp\r\nhello\r\n/tmp # ');
    expect(await shell.type('nonsense\r')).toBe('nonsense\r\nsh: nonsense: not found\r\n/tmp # ');
    expect(await shell.type('echo $?; tty; ps\r')).toMatch(/127\r\n\/dev\/pts\/0\r\nPID .*\r\n.*\r\n.*\r\n.* ps\r\n/);
    expect(await shell.type('exit 3\r')).toBe('exit 3\r\n');
    expect(await shell.ended).toEqual({ exitCode: 3 });
  });

  it('knows the size of the terminal of the client', async () => {
    const shell = await openShell();
    expect(await shell.type('stty size\r')).toContain('\r\n24 80\r\n');
    shell.resize(132, 43);
    expect(await shell.type('stty size\r')).toContain('\r\n43 132\r\n');
  });

  it('goes on after Ctrl-C, whatever it waited for', async () => {
    const shell = await openShell();
    expect(await shell.type('half a line\x03')).toBe('half a line^C\r\n/ # ');
    expect(await shell.type('sleep infinity\r')).toBe('sleep infinity\r\n');
    expect(await shell.type('\x03')).toBe('^C\r\n/ # ');
    await shell.type('cat\r');
    expect(await shell.type('twice\r')).toBe('twice\r\ntwice\r\n');
    expect(await shell.type('\x03')).toBe('^C\r\n/ # ');
    expect(await shell.type('echo $?\r')).toBe('echo $?\r\n130\r\n/ # ');
  });

  it('ends at Ctrl-D, and so does a program in it', async () => {
    const shell = await openShell();
    await shell.type('cat; echo after\r');
    expect(await shell.type('\x04')).toBe('after\r\n/ # ');
    await shell.type('\x04');
    expect(await shell.ended).toEqual({ exitCode: 0 });
  });

  it('another program ends at Ctrl-C with 130', async () => {
    const other = await openShell(['sleep', 'infinity']);
    await other.type('\x03');
    expect(await other.ended).toEqual({ exitCode: 130 });
  });
});

describe('LineDiscipline', () => {
  it('erases a word and a line, and counts cells of control characters', () => {
    let shown = '';
    const terminal = new LineDiscipline((bytes) => {
      shown += Buffer.from(bytes).toString();
    });
    const events: (TypedEvent | undefined)[] = [];
    const type = (text: string) => {
      shown = '';
      terminal.type(Buffer.from(text));
      events.push(terminal.next(true));
      return shown;
    };
    expect(type('ls one two\x17\x17')).toBe(`ls one two${'\b \b'.repeat(7)}`);
    expect(type('\x15')).toBe('\b \b'.repeat(3));
    expect(type('\x1b[A\x7f\x7f\x7f')).toBe(`^[[A${'\b \b'.repeat(4)}`);
    expect(type('é\r')).toBe('é\r\n');
    expect(events.at(-1)).toEqual({ line: new Uint8Array(Buffer.from('é\n')) });
  });
});
