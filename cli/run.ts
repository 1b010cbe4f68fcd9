import { Command } from 'commander';
import { approveCommand } from './approval';
import { explainCommand } from './runs/explain';
import { listCommand } from './runs/list';
import { queueCommand } from './runs/queue';
import { diffCommand, logsCommand } from './runs/record';
import { retryCommand } from './runs/retry';
import { showCommand } from './runs/show';
import { signingKeyCommand } from './runs/signing-key';
import { snapshotCommand } from './runs/snapshot';
import { cancelCommand, pauseCommand, resumeCommand, skipCommand, stopAfterCommand } from './runs/steer';
import { undoCommand } from './runs/undo';
import { verifySnapshotCommand } from './runs/verify-snapshot';

/** `bravo run list|show|explain|logs|diff|snapshot|verify-snapshot|signing-key|pause|resume|cancel|skip|stop-after|retry|undo|queue|approve`. */
export function runCommand(): Command {
  return new Command('run')
    .description('Show, explain, compare, steer, repeat and undo runs of plans')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(explainCommand())
    .addCommand(logsCommand())
    .addCommand(diffCommand())
    .addCommand(snapshotCommand())
    .addCommand(verifySnapshotCommand())
    .addCommand(signingKeyCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(cancelCommand())
    .addCommand(skipCommand())
    .addCommand(stopAfterCommand())
    .addCommand(retryCommand())
    .addCommand(undoCommand())
    .addCommand(queueCommand())
    .addCommand(approveCommand());
}
