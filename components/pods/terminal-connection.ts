import { serverPath } from '@/components/live/address';
import { reportSessionEnd } from '@/components/live/session-end';
import { systemClock, type Timer } from '@/lib/clock/clock';
import {
  CHANNELS,
  channelFrame,
  readTerminalEnd,
  readTerminalNotice,
  sizeFrame,
  TERMINAL_PROTOCOL,
  type TerminalNotice,
} from '@/lib/terminal/channels';
import { type TerminalTarget, terminalPath } from '@/lib/terminal/target';

/** What a connection is doing. `lost`: it broke and is tried again. */
export type TerminalState = 'connecting' | 'open' | 'lost' | 'closed';

export interface TerminalEvents {
  output(data: Uint8Array): void;
  notice(notice: TerminalNotice): void;
  /** @param message why, as a sentence; empty when there is nothing to say */
  state(state: TerminalState, message: string): void;
  /** The connection may not have been let in because the session has ended: asks the server. */
  checkSession(): void;
}

/** Waits between attempts to connect again. */
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
/** Close codes of the console that say: again, elsewhere or later. */
const TRY_AGAIN: ReadonlySet<number> = new Set([1001, 1006, 4502, 4503]);
const SESSION_ENDED = 4401;

/** One terminal at the console. A connection that breaks is opened again, with a new shell: what ran in the old one has ended with it. */
export class TerminalConnection {
  private socket: WebSocket | undefined;
  private timer: Timer | undefined;
  private failures = 0;
  private wasOpen = false;
  private end = '';
  private size: readonly [columns: number, rows: number] = [80, 24];

  constructor(
    private readonly target: TerminalTarget,
    private readonly events: TerminalEvents,
  ) {}

  open(): void {
    this.timer?.cancel();
    this.end = '';
    this.events.state(this.failures === 0 ? 'connecting' : 'lost', '');
    const address = new URL(serverPath(terminalPath(this.target)), window.location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, TERMINAL_PROTOCOL);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onmessage = ({ data }) => data instanceof ArrayBuffer && this.take(new Uint8Array(data));
    socket.onclose = ({ code, reason }) => this.closed(socket, code, reason);
  }

  /** Opens it anew, because a person wants so. */
  reopen(): void {
    this.failures = 0;
    this.open();
  }

  type(data: Uint8Array): void {
    this.send(channelFrame(CHANNELS.input, data));
  }

  resize(columns: number, rows: number): void {
    this.size = [columns, rows];
    this.send(sizeFrame(columns, rows));
  }

  close(): void {
    this.timer?.cancel();
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }

  private send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(frame);
  }

  private take(frame: Uint8Array): void {
    const data = frame.subarray(1);
    if (frame[0] === CHANNELS.output || frame[0] === CHANNELS.errors) this.events.output(data);
    if (frame[0] === CHANNELS.status) this.end = endWords(data);
    const notice = frame[0] === CHANNELS.notice ? readTerminalNotice(data) : undefined;
    if (notice === undefined) return;
    this.failures = 0;
    this.wasOpen = true;
    this.events.notice(notice);
    this.events.state('open', '');
    this.resize(...this.size);
  }

  private closed(socket: WebSocket, code: number, reason: string): void {
    // A connection that was replaced, or that the page closed.
    if (socket !== this.socket) return;
    if (code === SESSION_ENDED) reportSessionEnd();
    const waitMs = RETRIES_MS[this.failures];
    if (this.wasOpen && TRY_AGAIN.has(code) && waitMs !== undefined) {
      this.failures += 1;
      this.events.state('lost', reason || 'The connection to the console was lost.');
      this.timer = systemClock.after(waitMs, () => this.open());
      return;
    }
    if (!this.wasOpen && code === 1006) this.events.checkSession();
    this.failures = 0;
    this.events.state('closed', this.end || reason || 'The console did not open the terminal.');
  }
}

function endWords(data: Uint8Array): string {
  const { exitCode, message } = readTerminalEnd(data);
  return exitCode === undefined ? message : `The shell has ended with exit code ${exitCode}.`;
}
