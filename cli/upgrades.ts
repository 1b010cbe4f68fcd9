import { Command } from 'commander';
import { upgradesPlanCommand } from './upgrades/plan';
import { upgradesListCommand, upgradesShowCommand } from './upgrades/read';
import { upgradesStartCommand } from './upgrades/start';
import { upgradesSteerCommands } from './upgrades/steer';

/** `bravo upgrades plan|start|list|show|pause|resume|cancel|roll-back`. */
export function upgradesCommand(): Command {
  const command = new Command('upgrades')
    .description('Plan upgrades of instances, and run them in waves')
    .addCommand(upgradesPlanCommand())
    .addCommand(upgradesStartCommand())
    .addCommand(upgradesListCommand())
    .addCommand(upgradesShowCommand());
  for (const each of upgradesSteerCommands()) command.addCommand(each);
  return command;
}
