import type { Clock } from '@/lib/clock/clock';
import type { Api } from '@/server/kube/api';

/** Where diagnostics are collected, with the authority of the person. */
export interface DiagnosticsSource {
  readonly api: Api;
  readonly clock: Clock;
  readonly namespace: string;
  /** Says what is being done. */
  printLine(line: string): void;
  /** Says what the collection cannot do. */
  warn(line: string): void;
}
