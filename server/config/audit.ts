import { resolve } from 'node:path';
import { type Problem, TerminalError } from '@/lib/errors/errors';

/** Where the audit log goes, and how much of it is kept. */
export interface AuditSettings {
  /** `file`: below `BRAVO_DATA`. `stdout`: for the logs of a pod. `off`: nowhere, and the page *Activity* shows the cluster's records alone. */
  readonly mode: 'file' | 'stdout' | 'off';
  /** Absolute. */
  readonly folder: string;
  /** All files together. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

type Environment = { readonly [name: string]: string | undefined };

const DAY_MS = 86_400_000;
const MODES = ['file', 'stdout', 'off'] as const;

/**
 * Reads `BRAVO_AUDIT` (`file`, `stdout`, `off`), `BRAVO_AUDIT_MB` (100) and `BRAVO_AUDIT_DAYS` (90).
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readAuditSettings(environment: Environment, workingDir: string): AuditSettings {
  const problems: Problem[] = [];
  const text = environment.BRAVO_AUDIT || 'file';
  const mode = MODES.find((each) => each === text);
  if (mode === undefined)
    problems.push({ path: 'BRAVO_AUDIT', message: `"${text}" is not one of ${MODES.join(', ')}` });
  const whole = (name: string, fallback: number, most: number): number => {
    const given = environment[name] || String(fallback);
    if (/^\d{1,6}$/.test(given) && Number(given) >= 1 && Number(given) <= most) return Number(given);
    problems.push({ path: name, message: `"${given}" is not a whole number from 1 to ${most}` });
    return fallback;
  };
  const maxBytes = whole('BRAVO_AUDIT_MB', 100, 100_000) * 1_000_000;
  const maxAgeMs = whole('BRAVO_AUDIT_DAYS', 90, 36_500) * DAY_MS;
  if (problems.length > 0) {
    throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
  }
  const folder = resolve(workingDir, environment.BRAVO_DATA || '.bravo', 'audit');
  return { mode: mode ?? 'file', folder, maxBytes, maxAgeMs };
}
