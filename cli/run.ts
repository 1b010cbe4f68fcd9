import { Command } from 'commander';
import { explainCommand } from './runs/explain';
import { listCommand } from './runs/list';
import { queueCommand } from './runs/queue';
import { diffCommand, logsCommand } from './runs/record';
import { retryCommand } from './runs/retry';
import { showCommand } from './runs/show';
import { cancelCommand, pauseCommand, resumeCommand, skipCommand, stopAfterCommand } from './runs/steer';

/** `bravo run list|show|explain|logs|diff|pause|resume|cancel|skip|stop-after|retry|queue`. */
export function runCommand(): Command {
  return new Command('run')
    .description('Show, explain, compare, steer and repeat runs of plans')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(explainCommand())
    .addCommand(logsCommand())
    .addCommand(diffCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(cancelCommand())
    .addCommand(skipCommand())
    .addCommand(stopAfterCommand())
    .addCommand(retryCommand())
    .addCommand(queueCommand());
}
