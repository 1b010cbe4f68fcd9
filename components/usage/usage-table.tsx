import type { UsageRow } from '@/lib/kudo/usage/rows';

/** What each namespace used, and below it the sums of all. */
export function UsageTable({ rows, isWhole }: { rows: readonly UsageRow[]; isWhole: boolean }) {
  return (
    <table className="table">
      <caption className="sr-only">Usage</caption>
      <thead>
        <tr>
          {isWhole && <th scope="col">Month</th>}
          <th scope="col">Namespace</th>
          <th scope="col">Operator</th>
          <th scope="col" className="max-sm:hidden">
            Meter
          </th>
          <th scope="col" className="text-end">
            Amount
          </th>
          <th scope="col">Unit</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={[row.month, row.namespace, row.operator, row.meter].join('/')} data-meter={row.meter}>
            {isWhole && <td className="tabular-nums">{row.month}</td>}
            <td className="wrap-anywhere">{row.namespace}</td>
            <td className="wrap-anywhere">{row.operator}</td>
            <td className="max-sm:hidden">{row.meter}</td>
            <td className="text-end tabular-nums">{amountText(row.amount)}</td>
            <td className="text-ink-2">{row.unit}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums(rows).map(([unit, amount]) => (
          <tr key={unit}>
            <th scope="row" colSpan={isWhole ? 3 : 2} className="text-start">
              All
            </th>
            <td className="max-sm:hidden" />
            <td className="text-end font-semibold tabular-nums">{amountText(amount)}</td>
            <td className="text-ink-2">{unit}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

function sums(rows: readonly UsageRow[]): readonly (readonly [unit: string, amount: number])[] {
  const byUnit = new Map<string, number>();
  for (const { unit, amount } of rows) byUnit.set(unit, (byUnit.get(unit) ?? 0) + amount);
  return [...byUnit];
}

function amountText(amount: number): string {
  return amount.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
