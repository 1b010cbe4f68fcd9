import { isJsonObject, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';

/**
 * The protocol between a page and the console: the messages of Kubernetes' remote command protocol (`v4.channel.k8s.io`: a channel byte, then
 * data), and one channel more on which the console says what it does.
 */
export const TERMINAL_PROTOCOL = 'v1.terminal.bravo.kudo.dev';

export const CHANNELS = {
  /** From the page: what the person types. */
  input: 0,
  output: 1,
  errors: 2,
  /** The Status at the end, as JSON. */
  status: 3,
  /** From the page: the size, as `{"Width":80,"Height":24}`. */
  size: 4,
  /** From the console: {@link TerminalNotice} as JSON, when the terminal is open. */
  notice: 5,
} as const;

/** What the console says of a terminal that it has opened. */
export interface TerminalNotice {
  /** What is typed and shown is kept by the console. */
  readonly isRecorded: boolean;
  /** It is closed after this time without input. */
  readonly idleMs: number;
}

/** A message of one channel. */
export function channelFrame(channel: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(data.length + 1);
  frame[0] = channel;
  frame.set(data, 1);
  return frame;
}

/** The message that says the size of the page's terminal. */
export function sizeFrame(columns: number, rows: number): Uint8Array<ArrayBuffer> {
  return channelFrame(CHANNELS.size, new TextEncoder().encode(JSON.stringify({ Width: columns, Height: rows })));
}

/** What a page may send. */
export type PageFrame =
  | { readonly kind: 'input'; readonly data: Uint8Array }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number };

/** Reads a message from a page; undefined for one that no page sends. */
export function readPageFrame(frame: Uint8Array): PageFrame | undefined {
  const data = frame.subarray(1);
  if (frame[0] === CHANNELS.input) return { kind: 'input', data };
  if (frame[0] !== CHANNELS.size || data.length > 100) return undefined;
  const size = parseJsonObject(new TextDecoder().decode(data));
  const [columns, rows] = [numberAt(size, 'Width') ?? 0, numberAt(size, 'Height') ?? 0];
  return isCells(columns) && isCells(rows) ? { kind: 'size', columns, rows } : undefined;
}

function isCells(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= limits.terminal.cells;
}

/** How a command ended, out of the Status on its channel. */
export interface TerminalEnd {
  /** Undefined when the command did not run to its end. */
  readonly exitCode: number | undefined;
  /** Empty for a command that ended by itself. */
  readonly message: string;
}

/** Reads the Status at the end of a command (client-go remotecommand v4). */
export function readTerminalEnd(data: Uint8Array): TerminalEnd {
  const status = parseJsonObject(new TextDecoder().decode(data));
  if (stringAt(status, 'status') === 'Success') return { exitCode: 0, message: '' };
  const details = status?.details;
  const causes = isJsonObject(details) && Array.isArray(details.causes) ? details.causes : [];
  const code = causes.find((cause) => stringAt(cause, 'reason') === 'ExitCode');
  if (code !== undefined) return { exitCode: Number(stringAt(code, 'message')), message: '' };
  return { exitCode: undefined, message: stringAt(status, 'message') ?? 'The command did not run.' };
}

/** The notice of the console; undefined for anything else. */
export function readTerminalNotice(data: Uint8Array): TerminalNotice | undefined {
  const notice = parseJsonObject(new TextDecoder().decode(data));
  const idleMs = numberAt(notice, 'idleMs');
  return idleMs === undefined ? undefined : { idleMs, isRecorded: notice?.isRecorded === true };
}
