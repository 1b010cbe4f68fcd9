import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { formatCommand, type TerminalTarget } from '@/lib/terminal/target';
import type { Log } from '@/server/log/log';
import type { TerminalRecorder } from './terminal';

const KINDS = { input: 'i', output: 'o', size: 'r' } as const;

export interface RecordingOptions {
  readonly folder: string;
  /** Names the file, and the entries of the audit log. */
  readonly id: string;
  readonly person: string;
  readonly target: TerminalTarget;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps what is typed and shown as an asciicast v2 file (docs.asciinema.org/manual/asciicast/v2), which only the account of the console may
 * read. A recording that is too large ends; the terminal goes on, and the log says so.
 */
export function recordTerminal({ folder, id, person, target, clock, log }: RecordingOptions): TerminalRecorder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = createWriteStream(join(folder, `${id}.cast`), { mode: 0o600, flags: 'wx' });
  const decoders = { input: new TextDecoder(), output: new TextDecoder(), size: new TextDecoder() };
  const beganMs = clock.monotonic();
  let left = limits.terminal.recordingBytes;
  const write = (value: unknown): void => {
    const line = `${JSON.stringify(value)}\n`;
    if (left <= 0) return;
    left -= Buffer.byteLength(line);
    if (left > 0) file.write(line);
    else log.warn('terminal.recording-full', { id });
  };
  file.on('error', (error) => {
    left = 0;
    log.error('terminal.recording-failed', { id, error: messageOf(error) });
  });
  const { namespace, pod, container, command } = target;
  const title = `${person}: ${namespace}/${pod}/${container}: ${formatCommand(command)}`;
  write({ version: 2, width: 80, height: 24, timestamp: Math.floor(clock.now() / 1000), title });
  return {
    write(kind, data) {
      const text = decoders[kind].decode(data, { stream: true });
      if (text !== '') write([(clock.monotonic() - beganMs) / 1000, KINDS[kind], text]);
    },
    end: () => void file.end(),
  };
}
