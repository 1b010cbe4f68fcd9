import { Command } from 'commander';
import type { UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { planUpgrades } from '@/server/upgrades/start-upgrade';
import { formatMany, readFormat } from '../support/output';
import { type PackageFlags, packageSource } from '../support/packages';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { type ClusterSession, withSession } from '../support/session';
import { type ChoiceFlags, chosenInstances } from './chosen-instances';
import { planLines, planTable } from './plan-lines';

export interface PlanFlags extends ChoiceFlags, ParameterFlags, PackageFlags {
  readonly to?: string;
  readonly channel?: string;
  readonly output?: string;
}

/** Options that choose Instances and the version that they are to reach. */
export function withWishFlags(command: Command): Command {
  return withParameterFlags(command)
    .option('--to <version>', 'the version to reach; the newest one of the channel when absent')
    .option('--channel <name>', 'the channel of the repository', 'stable')
    .option('--repo <name>', 'look versions up in this repository of the list (bravo repo list)')
    .option('--operator <name>', 'instances of this operator, with --all or --selector')
    .option('-l, --selector <labels>', 'instances with these labels')
    .option('--all', 'every instance of the namespace');
}

/** `bravo upgrades plan [INSTANCE...]`. */
export function upgradesPlanCommand(): Command {
  const command = new Command('plan')
    .description('Show what an upgrade would do: its path, parameters, plans and objects, and whether it can start')
    .argument('[instance...]', 'the instances')
    .option('-o, --output <format>', 'yaml or json');
  return withWishFlags(command).action(async (names: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<PlanFlags>();
    const format = readFormat(flags.output);
    await withSession(self, async (session) => {
      const plans = await planAll(session, names, flags);
      if (format !== undefined) session.printLine(formatMany(plans, format));
      else printPlans(session, plans);
    });
  });
}

/** The plans of the chosen Instances. */
async function planAll(session: ClusterSession, names: readonly string[], flags: PlanFlags): Promise<UpgradePlan[]> {
  const { api, clock, namespace } = session;
  const parameters = await readParameters(flags);
  const source = await packageSource(flags);
  const { to, channel } = flags;
  const instances = await chosenInstances(session, names, flags);
  return planUpgrades({ api, clock, source }, namespace, instances, { to, channel, parameters });
}

export function printPlans({ printLine }: ClusterSession, plans: readonly UpgradePlan[]): void {
  const [only] = plans;
  if (only !== undefined && plans.length === 1) for (const line of planLines(only)) printLine(line);
  else printLine(planTable(plans));
}
