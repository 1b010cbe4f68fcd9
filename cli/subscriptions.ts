import { Command } from 'commander';
import { subscriptionsListCommand, subscriptionsShowCommand } from './subscriptions/read';
import {
  subscriptionsApproveCommand,
  subscriptionsCheckCommand,
  subscriptionsCreateCommand,
  subscriptionsDeleteCommand,
  subscriptionsSuspendCommands,
} from './subscriptions/write';

/** `bravo subscriptions list|show|create|approve|check|suspend|resume|delete`. */
export function subscriptionsCommand(): Command {
  const command = new Command('subscriptions')
    .description('Follow channels of repositories, and upgrade instances')
    .addCommand(subscriptionsListCommand())
    .addCommand(subscriptionsShowCommand())
    .addCommand(subscriptionsCreateCommand())
    .addCommand(subscriptionsApproveCommand())
    .addCommand(subscriptionsCheckCommand());
  for (const each of subscriptionsSuspendCommands()) command.addCommand(each);
  return command.addCommand(subscriptionsDeleteCommand());
}
