import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { explainRun, nothingToExplain } from '@/server/runs/explain-run';
import { formatOne, readFormat } from '../support/output';
import { withSession } from '../support/session';
import { findRun } from './find-run';

interface ExplainFlags {
  readonly instance?: string;
  readonly output?: string;
}

/** `bravo run explain RUN`. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('Say in one paragraph why a run failed, or why it does not end')
    .argument('[run]', 'the run; the one under way of --instance, else its last one, when absent')
    .option('--instance <name>', 'the instance')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (name: string | undefined, flags: ExplainFlags, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async (session) => {
        const run = await findRun(session, { name, instance: flags.instance });
        const explanation = await explainRun(session.api, run);
        if (explanation === undefined) throw new TerminalError(nothingToExplain(run), 'NotFound');
        session.printLine(format === undefined ? asText(explanation) : formatOne(explanation, format));
      });
    });
}

/** The paragraph, and below it the way from the step to the cause. */
function asText({ paragraph, chain }: FailureExplanation): string {
  const links = chain.map(({ kind, text }) => `  ${kind.padEnd(6)}  ${text}`);
  return links.length === 0 ? paragraph : [paragraph, '', ...links].join('\n');
}
