import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';

/** `bravo test`: KUDO's wrapper of the KUTTL harness. Bravo does not contain the harness; the error names the program to run. */
export function testCommand(): Command {
  return new Command('test')
    .description('Not built in: run KUTTL itself (kubectl kuttl test)')
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw new TerminalError(
        'Bravo does not contain the KUTTL harness. Run: kubectl kuttl test --config kudo-test.yaml. Its steps may call kubectl kudo, if a link named kubectl-kudo leads to bravo.',
        'NotBuiltIn',
      );
    });
}
