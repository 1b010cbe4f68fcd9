import type { Clock, Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { CHANNELS, channelFrame, readPageFrame, readTerminalEnd } from '@/lib/terminal/channels';
import type { ChannelSocket } from '@/server/kube/transport';

/** The page's end of a terminal. */
export interface TerminalClient {
  /** Resolves when the message is written to the connection: a slow page slows the command down. */
  send(frame: Uint8Array): Promise<void>;
  /** @param code a close code of WebSocket. @param reason at most 123 bytes */
  close(code: number, reason: string): void;
  /** Takes no more messages until `resume`. */
  pause(): void;
  resume(): void;
  /** `frame` is undefined for a message that is not binary. */
  onFrame(listener: (frame: Uint8Array | undefined) => void): void;
  onClose(listener: () => void): void;
}

/** Why a terminal was closed: an HTTP status, a word, a sentence. */
export interface TerminalClosing {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** What is kept of a terminal whose recording is switched on. */
export interface TerminalRecorder {
  write(kind: 'input' | 'output' | 'size', data: Uint8Array): void;
  end(): void;
}

export interface TerminalOptions {
  readonly client: TerminalClient;
  readonly container: ChannelSocket;
  readonly clock: Clock;
  readonly recorder: TerminalRecorder | undefined;
  /** Asked again and again: why the terminal must be closed now; undefined while it may stay. `usedMs`: the last input, wall milliseconds. */
  readonly check: (usedMs: number) => Promise<TerminalClosing | undefined>;
}

const IDLE: TerminalClosing = {
  status: 408,
  reason: 'Idle',
  message: `Nothing was typed for ${limits.terminal.idleMs / 60_000} minutes.`,
};
const GONE: TerminalClosing = { status: 499, reason: 'ClientClosedRequest', message: 'The page was closed.' };
const NO_FRAME: TerminalClosing = { status: 400, reason: 'BadRequest', message: 'This is no message of a terminal.' };
const ENDED: TerminalClosing = { status: 200, reason: '', message: '' };

/** Close codes of our own begin with 4: 4403 is what 403 is in HTTP. 1000 is a command that ended. */
const OWN_CODES = 4_000;
const REASON_BYTES = 123;

/**
 * One open terminal: passes messages between the page and the container, both ways only as fast as the other side takes them, and closes both
 * when one of them ends, when nothing is typed, or when the person may not have it any more.
 */
export class Terminal {
  private closing: TerminalClosing | undefined;
  private exitCode: number | undefined;
  private usedMs: number;
  private inputMs: number;
  private timer: Timer | undefined;
  private readonly closed: Promise<void>;
  private resolveClosed: () => void = () => {};

  constructor(private readonly options: TerminalOptions) {
    const { client, clock } = options;
    this.usedMs = clock.now();
    this.inputMs = clock.monotonic();
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
    client.onFrame((frame) => void this.takeFrame(frame));
    client.onClose(() => this.close(GONE));
  }

  /** Lasts as long as the terminal. How it ended, and the exit code of a command that ended by itself. */
  async run(): Promise<TerminalClosing & { readonly exitCode: number | undefined }> {
    this.checkLater();
    await Promise.race([this.passOutput(), this.closed]);
    const { exitCode } = this;
    return { ...(this.closing ?? ENDED), exitCode };
  }

  /** Closes both sides. The first reason counts. */
  close(why: TerminalClosing): void {
    if (this.closing !== undefined) return;
    this.closing = why;
    this.timer?.cancel();
    this.options.recorder?.end();
    this.options.container.close();
    const code = why === ENDED ? 1000 : OWN_CODES + why.status;
    this.options.client.close(code, cut(why.message));
    this.resolveClosed();
  }

  private async passOutput(): Promise<void> {
    const { client, container, recorder } = this.options;
    try {
      for await (const frame of container.messages) {
        if (this.closing !== undefined) return;
        const [channel] = frame;
        if (channel === CHANNELS.status) this.exitCode = readTerminalEnd(frame.subarray(1)).exitCode;
        else if (channel !== CHANNELS.output && channel !== CHANNELS.errors) continue;
        else recorder?.write('output', frame.subarray(1));
        // Empty messages open a channel and say nothing.
        if (frame.length > 1) await Promise.race([client.send(frame), this.closed]);
        if (channel === CHANNELS.status && frame.length > 1) break;
      }
      this.close(ENDED);
    } catch (error) {
      const message = `The connection to the container broke: ${messageOf(error)}`;
      this.close({ status: 502, reason: 'ConnectionFailed', message });
    }
  }

  private async takeFrame(bytes: Uint8Array | undefined): Promise<void> {
    if (this.closing !== undefined) return;
    const { client, container, clock, recorder } = this.options;
    const frame = bytes === undefined ? undefined : readPageFrame(bytes);
    if (frame === undefined || bytes === undefined) return this.close(NO_FRAME);
    if (frame.kind === 'input') {
      this.usedMs = clock.now();
      this.inputMs = clock.monotonic();
      recorder?.write('input', frame.data);
    } else recorder?.write('size', new TextEncoder().encode(`${frame.columns}x${frame.rows}`));
    container.send(channelFrame(bytes[0] ?? 0, bytes.subarray(1)));
    client.pause();
    await Promise.race([container.flushed?.(), this.closed]);
    client.resume();
  }

  private checkLater(): void {
    this.timer = this.options.clock.after(limits.terminal.sessionCheckMs, () => void this.checkNow());
  }

  private async checkNow(): Promise<void> {
    const { clock, check } = this.options;
    if (clock.monotonic() - this.inputMs >= limits.terminal.idleMs) return this.close(IDLE);
    const why = await check(this.usedMs).catch(() => undefined);
    if (why !== undefined) this.close(why);
    if (this.closing === undefined) this.checkLater();
  }
}

/** A close reason has at most 123 bytes. */
function cut(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= REASON_BYTES) return text;
  const whole = new TextDecoder().decode(bytes.subarray(0, REASON_BYTES - 3)).replace(/\ufffd$/, '');
  return `${whole}…`;
}
