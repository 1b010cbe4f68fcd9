import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/limits/limits';
import { channelFrame, readPageFrame, readTerminalEnd, readTerminalNotice, sizeFrame } from './channels';
import { BEST_SHELL, formatCommand, parseTerminalPath, terminalPath } from './target';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the messages of a terminal', () => {
  it('are read as they were written, and nothing else is', () => {
    expect(readPageFrame(channelFrame(0, bytes('ls')))).toEqual({ kind: 'input', data: bytes('ls') });
    expect(readPageFrame(sizeFrame(132, 43))).toEqual({ kind: 'size', columns: 132, rows: 43 });
    const refused = [new Uint8Array(), channelFrame(1, bytes('x')), channelFrame(3, bytes('{}')), sizeFrame(0, 10)];
    for (const frame of [...refused, sizeFrame(10, limits.terminal.cells + 1), channelFrame(4, bytes('no JSON'))]) {
      expect(readPageFrame(frame)).toBeUndefined();
    }
  });

  it('say how the command ended', () => {
    const end = (status: object) => readTerminalEnd(bytes(JSON.stringify(status)));
    expect(end({ status: 'Success' })).toEqual({ exitCode: 0, message: '' });
    const causes = [{ reason: 'ExitCode', message: '3' }];
    expect(end({ status: 'Failure', details: { causes } })).toEqual({ exitCode: 3, message: '' });
    expect(end({ status: 'Failure', message: 'no such file' })).toEqual({
      exitCode: undefined,
      message: 'no such file',
    });
    expect(readTerminalEnd(bytes('{')).message).toBe('The command did not run.');
    expect(readTerminalNotice(bytes('{"idleMs":5,"isRecorded":true}'))).toEqual({ idleMs: 5, isRecorded: true });
  });
});

describe('the address of a terminal', () => {
  const target = { namespace: 'demo', pod: 'web-0', container: 'app', command: [...BEST_SHELL] };

  it('leads to the container and the command that it was made of', () => {
    expect(parseTerminalPath(terminalPath(target))).toEqual(target);
  });

  it.each([
    [{ namespace: 'a b' }, 'The namespace is not a name'],
    [{ pod: '../x' }, 'The pod is not a name'],
    [{ container: '' }, 'Name the container'],
    [{ command: [] }, 'Say what to run'],
    [{ command: Array(33).fill('x') }, 'at most 32 words'],
    [{ command: ['x'.repeat(5_000)] }, 'at most 4096 characters'],
    [{ command: ['a\0b'] }, 'no NUL'],
  ])('is refused with %j', (change, message) => {
    expect(parseTerminalPath(terminalPath({ ...target, ...change }))).toContain(message);
  });

  it('names a command as a shell would', () => {
    expect(formatCommand(['psql', '-c', "select 'x'"])).toBe("psql -c 'select '\\''x'\\'''");
  });
});
