import type { ActivityEntry } from './activity';

const COLUMNS: readonly (readonly [title: string, of: (entry: ActivityEntry) => string | number])[] = [
  ['time', ({ time }) => time],
  ['person', ({ person }) => person.name],
  ['groups', ({ person }) => person.groups.join(' ')],
  ['address', ({ address }) => address],
  ['cluster', ({ cluster }) => cluster],
  ['verb', ({ verb }) => verb],
  ['group', ({ object }) => object.group],
  ['resource', ({ object }) => object.resource],
  ['subresource', ({ object }) => object.subresource],
  ['namespace', ({ object }) => object.namespace],
  ['name', ({ object }) => object.name],
  ['summary', ({ summary }) => summary],
  ['result', ({ result }) => result],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['run', ({ run }) => run?.name ?? ''],
  ['execution', ({ execution }) => execution ?? ''],
  ['source', ({ source }) => source],
  ['request', ({ id }) => id],
];

/** The first line of a CSV (RFC 4180), with its line end. */
export const ACTIVITY_CSV_HEAD = `${COLUMNS.map(([title]) => title).join(',')}\r\n`;

/** An entry as a line of CSV, with its line end. */
export function activityCsvLine(entry: ActivityEntry): string {
  return `${COLUMNS.map(([, of]) => csvCell(of(entry))).join(',')}\r\n`;
}

/** Spreadsheets run a cell that begins with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n]/;

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An entry as a JSON line. */
export function activityJsonLine(entry: ActivityEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
