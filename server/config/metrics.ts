import { type Problem, TerminalError } from '@/lib/errors/errors';

/** Where the metrics of a process are served; undefined when they are off. */
export type MetricsSettings = { readonly host: string; readonly port: number } | undefined;

type Environment = { readonly [name: string]: string | undefined };

/** The port that is used when nothing is said. */
export const DEFAULT_METRICS_PORT = 9_464;

/**
 * Reads `BRAVO_METRICS_PORT` (9464; `off` for none) and `BRAVO_METRICS_HOST` (127.0.0.1; `0.0.0.0` for a Prometheus on other machines).
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readMetricsSettings(environment: Environment): MetricsSettings {
  const text = environment.BRAVO_METRICS_PORT || String(DEFAULT_METRICS_PORT);
  if (text === 'off') return undefined;
  const problems: Problem[] = [];
  const host = environment.BRAVO_METRICS_HOST || '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) {
    problems.push({ path: 'BRAVO_METRICS_HOST', message: `"${host}" is neither a host name nor an IP address` });
  }
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) {
    problems.push({
      path: 'BRAVO_METRICS_PORT',
      message: `"${text}" is not a port; give a number from 1 to 65535, or off`,
    });
  }
  if (problems.length === 0) return { host, port: Number(text) };
  throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
}
