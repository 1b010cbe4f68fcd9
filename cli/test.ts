import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';

/** `bravo test`: KUDO's thin cover of the KUTTL harness. The harness is not built in; who calls it is told what to call. */
export function testCommand(): Command {
  return new Command('test')
    .description('Not built in: run KUTTL itself (kubectl kuttl test)')
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw new TerminalError(
        'The KUTTL harness is not built in. Run it by itself: kubectl kuttl test --config kudo-test.yaml; its steps may call kubectl kudo, which this program answers through a link named kubectl-kudo.',
        'NotBuiltIn',
      );
    });
}
