import { Command } from 'commander';
import { scheduleListCommand, scheduleNextCommand, scheduleShowCommand } from './schedules/read';
import {
  scheduleCreateCommand,
  scheduleDeleteCommand,
  scheduleResumeCommand,
  scheduleSuspendCommand,
} from './schedules/write';

/** `bravo schedule list|show|create|suspend|resume|delete|next`. */
export function scheduleCommand(): Command {
  return new Command('schedule')
    .description('Start plans of instances at set times')
    .addCommand(scheduleListCommand())
    .addCommand(scheduleShowCommand())
    .addCommand(scheduleCreateCommand())
    .addCommand(scheduleSuspendCommand())
    .addCommand(scheduleResumeCommand())
    .addCommand(scheduleDeleteCommand())
    .addCommand(scheduleNextCommand());
}
