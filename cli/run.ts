import { Command } from 'commander';
import { listCommand } from './runs/list';
import { diffCommand, logsCommand } from './runs/record';
import { retryCommand } from './runs/retry';
import { showCommand } from './runs/show';
import { cancelCommand, pauseCommand, resumeCommand, skipCommand, stopAfterCommand } from './runs/steer';

/** `bravo run list|show|logs|diff|pause|resume|cancel|skip|stop-after|retry`. */
export function runCommand(): Command {
  return new Command('run')
    .description('Show, compare, steer and repeat runs of plans')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(logsCommand())
    .addCommand(diffCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(cancelCommand())
    .addCommand(skipCommand())
    .addCommand(stopAfterCommand())
    .addCommand(retryCommand());
}
