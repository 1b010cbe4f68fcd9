import { Command } from 'commander';
import { noticesListCommand } from './notices/list';
import { noticesTestCommand } from './notices/send-test';

/** `bravo notices list|test`. */
export function noticesCommand(): Command {
  return new Command('notices')
    .description('Show who is told of the results of runs, and test it')
    .addCommand(noticesListCommand())
    .addCommand(noticesTestCommand());
}
