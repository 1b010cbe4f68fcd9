import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { limits } from '@/lib/limits/limits';
import { CHANNELS, channelFrame } from '@/lib/terminal/channels';
import { Terminal, type TerminalClosing } from './terminal';

const text = (frame: Uint8Array) => `${frame[0]}:${Buffer.from(frame.subarray(1)).toString()}`;
const frame = (channel: number, data: string) => channelFrame(channel, Buffer.from(data));
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** A terminal between a page and a container, of which both ends are in the hands of the test. */
function openTerminal() {
  const clock = new VirtualClock(0);
  const toPage: string[] = [];
  const toContainer: string[] = [];
  const recorded: string[] = [];
  const output: (Uint8Array | Error | undefined)[] = [];
  let wake: () => void = () => {};
  let verdict: TerminalClosing | undefined;
  const page = { frame: (_: Uint8Array | undefined) => {}, gone: () => {}, code: 0, reason: '', isPaused: false };
  const written: (() => void)[] = [];
  let isSlow = false;
  const checkedMs: number[] = [];
  const terminal = new Terminal({
    clock,
    client: {
      send(sent) {
        toPage.push(text(sent));
        return isSlow ? new Promise((done) => written.push(done)) : Promise.resolve();
      },
      close: (code, reason) => Object.assign(page, { code, reason }),
      pause: () => Object.assign(page, { isPaused: true }),
      resume: () => Object.assign(page, { isPaused: false }),
      onFrame: (listener) => Object.assign(page, { frame: listener }),
      onClose: (listener) => Object.assign(page, { gone: listener }),
    },
    container: {
      protocol: 'v5.channel.k8s.io',
      send: (sent) => void toContainer.push(text(sent)),
      flushed: () => (isSlow ? new Promise((done) => written.push(done)) : Promise.resolve()),
      close: () => void toContainer.push('closed'),
      messages: (async function* () {
        for (;;) {
          const next = output.shift();
          if (next instanceof Error) throw next;
          if (next !== undefined) yield next;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      })(),
    },
    recorder: {
      write: (kind, data) => void recorded.push(`${kind} ${Buffer.from(data)}`),
      end: () => void recorded.push('end'),
    },
    check: async (usedMs) => {
      checkedMs.push(usedMs);
      return verdict;
    },
  });
  const ended = terminal.run();
  return {
    ...{ clock, page, toPage, toContainer, recorded, ended, checkedMs },
    say: async (next: Uint8Array | Error) => {
      output.push(next);
      wake();
      await settle();
    },
    slow: (value: boolean) => {
      isSlow = value;
      for (const done of written.splice(0)) done();
      return settle();
    },
    withdraw: (why: TerminalClosing) => {
      verdict = why;
    },
  };
}

describe('Terminal', () => {
  it('passes what is typed and shown, and ends with the command', async () => {
    const { page, say, toPage, toContainer, recorded, ended } = openTerminal();
    page.frame(frame(CHANNELS.input, 'ls'));
    page.frame(frame(CHANNELS.size, '{"Width":80,"Height":24}'));
    await say(frame(CHANNELS.output, ''));
    await say(frame(CHANNELS.output, 'a b'));
    await say(frame(7, 'unknown'));
    await say(frame(CHANNELS.status, '{"status":"Success"}'));
    expect(await ended).toMatchObject({ exitCode: 0, reason: '' });
    expect(toPage).toEqual(['1:a b', '3:{"status":"Success"}']);
    expect(toContainer).toEqual(['0:ls', '4:{"Width":80,"Height":24}', 'closed']);
    expect(recorded).toEqual(['input ls', 'size 80x24', 'output ', 'output a b', 'end']);
    expect(page.code).toBe(1000);
  });

  it('lets the container wait for the page, and the page for the container', async () => {
    const { page, say, slow, toPage } = openTerminal();
    await slow(true);
    await say(frame(CHANNELS.output, 'one'));
    await say(frame(CHANNELS.output, 'two'));
    page.frame(frame(CHANNELS.input, 'x'));
    await settle();
    expect([toPage, page.isPaused]).toEqual([['1:one'], true]);
    await slow(false);
    expect([toPage, page.isPaused]).toEqual([['1:one', '1:two'], false]);
  });

  it('is closed when nothing is typed for long; output does not count', async () => {
    const { clock, page, say, ended, checkedMs } = openTerminal();
    await clock.advance(limits.terminal.idleMs / 2);
    page.frame(frame(CHANNELS.input, 'x'));
    await clock.advance(limits.terminal.idleMs - limits.terminal.sessionCheckMs);
    await say(frame(CHANNELS.output, 'x'));
    expect([page.code, checkedMs.at(-1)]).toEqual([0, limits.terminal.idleMs / 2]);
    await clock.advance(limits.terminal.sessionCheckMs);
    expect(await ended).toMatchObject({ status: 408, exitCode: undefined });
    expect([page.code, page.reason]).toEqual([4408, 'Nothing was typed for 30 minutes.']);
  });

  it('is closed when session or right have ended', async () => {
    const { clock, page, withdraw, toContainer, ended } = openTerminal();
    withdraw({ status: 403, reason: 'Forbidden', message: `You may not: ${'é'.repeat(100)}` });
    await clock.advance(limits.terminal.sessionCheckMs);
    expect(await ended).toMatchObject({ status: 403 });
    expect([page.code, toContainer]).toEqual([4403, ['closed']]);
    expect(Buffer.byteLength(page.reason)).toBeLessThanOrEqual(123);
    expect(page.reason.endsWith('é…')).toBe(true);
  });

  it('ends with the page, and with the connection to the container', async () => {
    const left = openTerminal();
    left.page.gone();
    expect([(await left.ended).status, left.toContainer]).toEqual([499, ['closed']]);
    const broken = openTerminal();
    await broken.say(new Error('reset'));
    expect((await broken.ended).message).toBe('The connection to the container broke: reset');
    const foreign = openTerminal();
    foreign.page.frame(undefined);
    expect((await foreign.ended).status).toBe(400);
  });
});
