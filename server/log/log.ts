import { destination, type Logger, pino } from 'pino';
import { systemClock, type Timer } from '@/lib/clock/clock';
import { rememberProblem } from './recent-problems';

/** Facts of an event. Secrets belong in none of them; fields whose names say so print as `‹secret›` all the same. */
export type LogFields = { readonly [name: string]: unknown };

/**
 * One JSON event a line on standard error. `error` = someone must act; `warn` = coped; `info` = a change of state that
 * a user would recognise. The event is a short dotted name, `plan.started`.
 */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const SECRET_NAME = /pass(word)?$|secret|token|authorization|cookie|privatekey/i;
const SECRET_MARK = '‹secret›';

/** Names of the levels, from quiet to talkative. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info';

/** Lines wait so long for others: a write of its own for each costs more than all else in them. */
const GATHER_MS = 20;
const GATHER_CHARACTERS = 8 * 1024;

let gathered: { write(line: string): void } | undefined;

/**
 * The lines of all logs of this thread, in their order; an error is written at once, and nothing is left when it ends. The
 * stream's own gathering is not used: where nobody reads any more, its flush waits for ever.
 */
function standardError(): { write(line: string): void } {
  if (gathered !== undefined) return gathered;
  const stream = destination({ fd: 2, sync: true });
  let lines = '';
  let timer: Timer | undefined;
  const flush = () => {
    timer?.cancel();
    timer = undefined;
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  process.once('exit', flush);
  gathered = {
    write(line) {
      lines += line;
      if (line.startsWith(ERROR_LINE) || lines.length >= GATHER_CHARACTERS) flush();
      else timer ??= systemClock.after(GATHER_MS, flush);
    },
  };
  return gathered;
}

const ERROR_LINE = `{"level":${pino.levels.values.error},`;

/** A log for one part of the product, e.g. `controller`. */
export function createLog(component: string, level: LogLevel = 'info'): Log {
  const logger = pino({ level, base: { component }, timestamp: pino.stdTimeFunctions.isoTime }, standardError());
  return {
    info: writer(logger, 'info'),
    warn: remembering(component, 'warn', writer(logger, 'warn')),
    error: remembering(component, 'error', writer(logger, 'error')),
  };
}

/** A log whose every line has these fields too. */
export function logWith(log: Log, common: LogFields): Log {
  return {
    info: (event, fields) => log.info(event, { ...common, ...fields }),
    warn: (event, fields) => log.warn(event, { ...common, ...fields }),
    error: (event, fields) => log.error(event, { ...common, ...fields }),
  };
}

/** For tests and for commands that speak to people in sentences. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

type Writer = (event: string, fields?: LogFields) => void;

/** Keeps warnings and errors for the page *Status*, whatever the level of the log. */
function remembering(part: string, level: 'warn' | 'error', write: Writer): Writer {
  return (event, fields = {}) => {
    rememberProblem({ atMs: systemClock.now(), part, level, event }, redact(fields));
    write(event, fields);
  };
}

function writer(logger: Logger, level: 'info' | 'warn' | 'error') {
  return (event: string, fields: LogFields = {}): void => {
    logger[level](redact(fields), event);
  };
}

/** Replaces values whose names say that they are secret; errors become their message. */
export function redact(fields: LogFields): { [name: string]: unknown } {
  const result: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SECRET_NAME.test(name)) result[name] = SECRET_MARK;
    else result[name] = value instanceof Error ? value.message : value;
  }
  return result;
}
