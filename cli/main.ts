import { Command } from 'commander';
import { BravoError } from '@/lib/errors/errors';
import { productVersion } from '@/server/runtime/root';
import { verbs } from './verbs';

/**
 * The `bravo` command.
 *
 * @param argv the words after the program's name
 */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('bravo')
    .description('Declarative operators for Kubernetes: install packages, run their plans, open the console.')
    .version(productVersion)
    .option('--kubeconfig <file>', 'kubeconfig of the cluster (default: KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .showHelpAfterError('(bravo --help shows every command)');
  for (const verb of verbs()) program.addCommand(verb);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    const isExpected = error instanceof BravoError;
    process.stderr.write(`Error: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}\n`);
    process.exitCode = 1;
  }
}
