import { Gauge, type Registry } from 'prom-client';
import { SEVERITIES, type Severity } from '@/lib/kudo/repository/lifecycle';
import { UPGRADE_PHASES, type UpgradePhase } from '@/lib/kudo/upgrades/operator-upgrade';

/** How many Instances of an operator in a namespace have a version whose worst advisory is of that severity. */
export interface MeasuredAdvisory {
  readonly namespace: string;
  readonly operator: string;
  readonly severity: Severity;
  readonly instances: number;
}

/** What is asked of a controller about upgrades when metrics are read. */
export interface MeasuredUpgrades {
  /** How many OperatorUpgrades are in each phase. */
  readonly phases: ReadonlyMap<UpgradePhase, number>;
  readonly advisories: readonly MeasuredAdvisory[];
}

/** So many series of advisories, the most severe first. */
const MOST_SERIES = 500;

/** Adds the gauges of upgrades and advisories. */
export function addUpgradeGauges(registry: Registry, upgrades: () => MeasuredUpgrades | undefined): void {
  new Gauge({
    name: 'bravo_operator_upgrades',
    help: 'OperatorUpgrades by phase; Paused waits for a person.',
    labelNames: ['phase'],
    registers: [registry],
    collect() {
      this.reset();
      const phases = upgrades()?.phases;
      for (const phase of UPGRADE_PHASES) this.set({ phase }, phases?.get(phase) ?? 0);
    },
  });
  new Gauge({
    name: 'bravo_operator_advisories',
    help: 'Instances whose version has an advisory, by namespace, operator and severity.',
    labelNames: ['namespace', 'operator', 'severity'],
    registers: [registry],
    collect() {
      this.reset();
      const rank = ({ severity }: MeasuredAdvisory) => SEVERITIES.indexOf(severity);
      const all = [...(upgrades()?.advisories ?? [])].sort((a, b) => rank(b) - rank(a));
      for (const { namespace, operator, severity, instances } of all.slice(0, MOST_SERIES)) {
        this.inc({ namespace, operator, severity }, instances);
      }
    },
  });
}
