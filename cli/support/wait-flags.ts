import { TerminalError } from '@/lib/errors/errors';

export interface WaitFlags {
  readonly wait?: boolean;
  /** Seconds. */
  readonly waitTime?: string;
}

/** `--wait-time` in milliseconds; 300 s by default. */
export function waitTimeMs({ waitTime }: WaitFlags): number {
  const seconds = Number(waitTime ?? '300');
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw new TerminalError(`--wait-time must be a number of seconds, not "${waitTime}"`, 'InvalidArguments');
}
