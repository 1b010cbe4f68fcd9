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
          <th scope="col" className="max-sm:hidden">
            Unit
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={[row.month, row.namespace, row.operator, row.meter].join('/')} data-meter={row.meter}>
            {isWhole && <td className="tabular-nums">{row.month}</td>}
            <td className="wrap-anywhere">{row.namespace}</td>
            <td className="wrap-anywhere">{row.operator}</td>
            <td className="max-sm:hidden">{row.meter}</td>
            <Amount amount={row.amount} unit={row.unit} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums(rows).map(([unit, amount]) => (
          <tr key={unit} className="border-t">
            <th scope="row" colSpan={isWhole ? 3 : 2} className="text-start">
              All
            </th>
            <td className="max-sm:hidden" />
            <Amount amount={amount} unit={unit} />
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

/** The unit has a column of its own where there is room. */
function Amount({ amount, unit }: { amount: number; unit: string }) {
  return (
    <>
      <td className="text-end tabular-nums">
        {amountText(amount)} <span className="block text-ink-2 text-xs sm:hidden">{unit}</span>
      </td>
      <td className="text-ink-2 max-sm:hidden">{unit}</td>
    </>
  );
}

function sums(rows: readonly UsageRow[]): readonly (readonly [unit: string, amount: number])[] {
  const byUnit = new Map<string, number>();
  for (const { unit, amount } of rows) byUnit.set(unit, (byUnit.get(unit) ?? 0) + amount);
  return [...byUnit];
}

function amountText(amount: number): string {
  return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
