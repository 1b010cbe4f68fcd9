import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { monthOf } from '@/lib/kudo/usage/ledger';
import { isMonth, type UsageRow, usageCsv } from '@/lib/kudo/usage/rows';
import { readUsage } from '@/server/usage/read-usage';
import { formatTable } from './support/output';
import { withSession } from './support/session';

interface UsageFlags {
  readonly output?: string;
  readonly month?: string;
  readonly allNamespaces?: boolean;
}

const FORMATS = ['table', 'csv', 'json'] as const;
const ALL = 'all';

/** `bravo usage`: Instance-hours and the units that operators meter. */
export function usageCommand(): Command {
  return new Command('usage')
    .description('Show the hours of instances, and the units that operators meter, by namespace, operator and month')
    .option('--month <month>', 'a month in UTC such as 2026-11, or all (default: this month)')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('-o, --output <format>', 'table, csv or json', 'table')
    .action(async (_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<UsageFlags>();
      const format = FORMATS.find((each) => each === flags.output);
      if (format === undefined) {
        throw new TerminalError('invalid output format, only support table, csv or json', 'InvalidArguments');
      }
      if (flags.month !== undefined && flags.month !== ALL && !isMonth(flags.month)) {
        throw new TerminalError(
          `--month: "${flags.month}" is not a month; write it as 2026-11, or all`,
          'InvalidArguments',
        );
      }
      await withSession(self, async ({ api, clock, namespace, printLine }) => {
        const nowMs = clock.now();
        const month = flags.month ?? monthOf(nowMs);
        const place = flags.allNamespaces === true ? {} : { namespace };
        const { rows } = await readUsage(api, { ...place, nowMs });
        const shown = rows.filter((row) => month === ALL || row.month === month);
        printLine(format === 'json' ? JSON.stringify(shown, null, 2) : textOf(shown, format));
      });
    });
}

function textOf(rows: readonly UsageRow[], format: 'table' | 'csv'): string {
  if (format === 'csv') return usageCsv(rows).trimEnd();
  if (rows.length === 0) return 'No usage was counted.';
  const cells = rows.map(({ month, namespace, operator, meter, unit, amount }) => [
    ...[month, namespace, operator, meter],
    ...[amount.toFixed(3), unit],
  ]);
  return formatTable([['MONTH', 'NAMESPACE', 'OPERATOR', 'METER', 'AMOUNT', 'UNIT'], ...cells]);
}
