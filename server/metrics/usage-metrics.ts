import { Gauge, type Registry } from 'prom-client';
import type { UsageRow } from '@/lib/kudo/usage/rows';
import { limits } from '@/lib/limits/limits';

/**
 * What namespaces used, in hours of the unit, over the months that are kept. It grows until the oldest month is dropped. The largest ones
 * have series of their own.
 */
export function addUsageGauge(registry: Registry, usage: () => readonly UsageRow[]): void {
  new Gauge({
    name: 'bravo_usage_hours',
    help: 'Hours of Instances (meter "instances") and of what operators meter, by namespace, operator, meter and unit.',
    labelNames: ['namespace', 'operator', 'meter', 'unit'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { namespace, operator, meter, unit, amount } of largest(usage())) {
        this.inc({ namespace, operator, meter, unit }, amount);
      }
    },
  });
}

/** All months of one series count together. */
function largest(rows: readonly UsageRow[]): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const key = [row.namespace, row.operator, row.meter, row.unit].join('\n');
    sums.set(key, { ...row, amount: (sums.get(key)?.amount ?? 0) + row.amount });
  }
  return [...sums.values()].sort((a, b) => b.amount - a.amount).slice(0, limits.usage.series);
}
