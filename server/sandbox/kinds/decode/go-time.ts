import { isDateTime } from '@/lib/schema/formats';

interface Part {
  readonly pattern: RegExp;
  /** How the layout writes it. */
  readonly shown: string;
}

const HEAD: readonly Part[] = [
  { pattern: /^\d{4}/, shown: '2006' },
  { pattern: /^-/, shown: '-' },
  { pattern: /^\d\d/, shown: '01' },
  { pattern: /^-/, shown: '-' },
  { pattern: /^\d\d/, shown: '02' },
  { pattern: /^T/, shown: 'T' },
  { pattern: /^\d\d/, shown: '15' },
  { pattern: /^:/, shown: ':' },
  { pattern: /^\d\d/, shown: '04' },
  { pattern: /^:/, shown: ':' },
  { pattern: /^\d\d/, shown: '05' },
];
const ZONE: Part = { pattern: /^(Z|[-+]\d\d:\d\d)$/, shown: 'Z07:00' };
const MICROS: Part = { pattern: /^\.\d{6}/, shown: '.000000' };
const FRACTION: Part = { pattern: /^(\.\d+)?/, shown: '' };

/**
 * What Go's time.Parse says of a text that does not fit RFC 3339 in one of two layouts, behind `parsing time "…"`;
 * undefined when it fits.
 */
export function goTimeFault(value: string, layout: string): string | undefined {
  const parts = [...HEAD, layout.includes('.000000') ? MICROS : FRACTION, ZONE];
  let rest = value;
  for (const { pattern, shown } of parts) {
    const match = pattern.exec(rest);
    if (match === null) return ` as "${layout}": cannot parse "${rest}" as "${shown}"`;
    rest = rest.slice(match[0].length);
  }
  if (isDateTime(value)) return undefined;
  const [, month = 0, , hour = 0, minute = 0] = value.split(/[^\d]/, 6).map(Number);
  if (month < 1 || month > 12) return ': month out of range';
  if (hour > 23) return ': hour out of range';
  return minute > 59 ? ': minute out of range' : ': day out of range';
}
