import type { LogLevel } from '../log/log';

/**
 * The level of `BRAVO_LOG`: `silent`, `error`, `warn` or `info`. A text that is empty, absent or none of these means `otherwise`.
 */
export function readLogLevel(text: string | undefined, otherwise: LogLevel): LogLevel {
  return text === 'silent' || text === 'error' || text === 'warn' || text === 'info' ? text : otherwise;
}
