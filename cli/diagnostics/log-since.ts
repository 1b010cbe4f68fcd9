import { TerminalError } from '@/lib/errors/errors';

const UNIT_SECONDS: { readonly [unit: string]: number } = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};

/**
 * A duration as Go parses it (`1h30m`, `90s`, `-1h`), in whole seconds. Undefined when there is none or it is not positive.
 *
 * @throws TerminalError for a text that is not a duration
 */
export function readLogSince(text: string | undefined): number | undefined {
  if (text === undefined || text === '0' || text === '') return undefined;
  if (!/^-?(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(text)) {
    throw new TerminalError(
      `invalid argument "${text}" for "--log-since" flag: it must be a duration such as 90s or 1h30m`,
      'InvalidArguments',
    );
  }
  if (text.startsWith('-')) return undefined;
  let seconds = 0;
  for (const [, number, unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(number) * (UNIT_SECONDS[unit] ?? 0);
  }
  const whole = Math.round(seconds);
  return whole > 0 ? whole : undefined;
}
