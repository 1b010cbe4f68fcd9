import type { RunWishes } from '@/lib/kudo/runs/run-request';

/** The flags of `bravo` that say why a plan starts, what it is confirmed with, and which lock or approval lets it. */
export function saidFlags(wishes: RunWishes, confirm: string | undefined): string[] {
  const { reason = '', breakLock = '', approval = '' } = wishes;
  const flags = { '--reason': reason, '--confirm': confirm ?? '', '--break-lock': breakLock, '--approval': approval };
  return Object.entries(flags).flatMap(([flag, text]) => (text === '' ? [] : [flag, text]));
}
