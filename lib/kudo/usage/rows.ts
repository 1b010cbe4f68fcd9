import { addLife, type UsageLedger } from './ledger';

/** What a namespace used of one unit in one month. */
export interface UsageRow {
  /** `2026-11`, in UTC. */
  readonly month: string;
  readonly namespace: string;
  readonly operator: string;
  /** `instances`, or a meter of the operator. */
  readonly meter: string;
  readonly unit: string;
  /** In hours of the unit, with three decimals. */
  readonly amount: number;
}

const MS_PER_HOUR = 3_600_000;

/**
 * The rows of a namespace: what is closed, and what is open up to now. Sorted by month, the last one first, then by operator and
 * meter.
 */
export function usageRows(ledger: UsageLedger, namespace: string, nowMs: number): UsageRow[] {
  let { months } = ledger;
  for (const life of Object.values(ledger.open)) months = addLife(months, life, nowMs);
  const rows = Object.entries(months).flatMap(([month, operators]) =>
    Object.entries(operators).flatMap(([operator, meters]) =>
      Object.entries(meters).map(([meter, { unit, valueMs }]) => {
        const amount = Math.round((valueMs / MS_PER_HOUR) * 1_000) / 1_000;
        return { month, namespace, operator, meter, unit, amount };
      }),
    ),
  );
  return rows.sort(byPlace);
}

/** The last month first, then by namespace, operator and meter. */
export function byPlace(a: UsageRow, b: UsageRow): number {
  if (a.month !== b.month) return a.month < b.month ? 1 : -1;
  const key = ({ namespace, operator, meter }: UsageRow) => `${namespace}\n${operator}\n${meter}`;
  return key(a) < key(b) ? -1 : 1;
}

const HEAD = ['month', 'namespace', 'operator', 'meter', 'unit', 'amount'] as const;

/** Rows as CSV (RFC 4180), with a head. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => HEAD.map((key) => csvCell(String(row[key]))).join(','));
  return `${[HEAD.join(','), ...lines].join('\r\n')}\r\n`;
}

/** Spreadsheets take a cell that begins with one of `=+-@` as a formula. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** True for `2026-11`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}
