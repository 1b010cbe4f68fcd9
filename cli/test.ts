import { Command } from 'commander';
import { repeated } from './support/session';
import type { ClusterFlags } from './tests/run-tests';

/** After an interrupt, as KUDO's program ends on every error. */
const INTERRUPTED = 255;

/** `bravo test [FOLDER|FILE…]`: runs KUTTL suites, with the flags of `kubectl kudo test` and `kubectl kuttl test`. */
export function testCommand(): Command {
  return new Command('test')
    .description('Run KUTTL test suites: folders of cases, or the file of a TestSuite')
    .argument('[paths...]', 'test directories, or the file of a suite (default: kudo-test.yaml, then kuttl-test.yaml)')
    .option('--config <file>', 'the file of the TestSuite')
    .option('--crd-dir <folder>', 'CRDs to apply first')
    .option('--manifest-dir <folder>', 'manifests to apply first; may be given several times', repeated)
    .option('--test <pattern>', 'run only the cases whose name matches this regular expression')
    .option('--sandbox', 'run against a sandbox and a controller of its own, in virtual time')
    .option('--no-pods', 'with --sandbox: run no pods')
    .option('--pod-delay <seconds>', 'with --sandbox: time until a pod is ready (default: 3)')
    .option('--start-control-plane', 'run against an empty API server without controllers')
    .option('--start-kind', 'run against a new cluster of KIND; needs the programs kind and docker')
    .option('--kind-config <file>', 'the configuration of KIND; implies --start-kind')
    .option('--kind-context <name>', 'name of the cluster of KIND (default: kind)')
    .option('--start-kudo', 'accepted, without effect')
    .option('--skip-cluster-delete', 'keep the cluster of KIND')
    .option('--parallel <count>', 'cases that run at once (default: 8)')
    .option('--timeout <seconds>', 'time of a step without a timeout of its own (default: 30)')
    .option('--skip-delete', 'keep the objects and namespaces of the cases')
    .option('--artifacts-dir <folder>', 'where the report is written (default: the working directory)')
    .option('--report <format>', 'write a report: xml (JUnit), json or tap')
    .option('--report-name <name>', 'name of the report (default: kuttl-report)')
    .option('--report-granularity <what>', 'step or test: what a test of the report is')
    .option('--suppress-log <what>', 'leave out of the log: events', repeated)
    .option('--test-run-labels <labels>', 'a=b,…: run also the files whose TestFile selects these labels')
    .option(
      '--template-var <pair>',
      'NAME=VALUE: .Vars.NAME of *.gotmpl.yaml files; may be given several times',
      repeated,
    )
    .option('--watch', 'run again when a file of the suite or of a package beside it changes')
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const { runTests } = await import('./tests/run-tests');
      const { watchTests } = await import('./tests/watch-tests');
      const flags = self.optsWithGlobals<ClusterFlags>();
      const interrupt = new AbortController();
      const onSignal = () => interrupt.abort(new Error('interrupted'));
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
      try {
        if (flags.watch === true) await watchTests(words, flags, interrupt.signal);
        process.exitCode = (await runTests(words, flags, interrupt.signal)) ? 0 : 1;
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        process.exitCode = INTERRUPTED;
      } finally {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
      }
    });
}
