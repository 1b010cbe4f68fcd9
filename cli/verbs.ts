import { Command } from 'commander';
import { consoleCommand } from './console';
import { runSandbox } from './sandbox';

/** Every verb, in the order of the help. */
export function verbs(): Command[] {
  return [consoleCommand(), sandboxCommand()];
}

/** The sandbox reads its own words: they are kube-apiserver's kind of flags, not the client's. */
function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Serve the embedded Kubernetes API alone, bare as a new cluster')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]')
    .action(async (words: string[]) => {
      process.exitCode = await runSandbox(words);
    });
}
