import { Command } from 'commander';
import { upgradesPlanCommand } from './upgrades/plan';

/** `bravo upgrades plan`. */
export function upgradesCommand(): Command {
  return new Command('upgrades').description('Plan and run upgrades of instances').addCommand(upgradesPlanCommand());
}
