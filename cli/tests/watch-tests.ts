import { resolve } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { BravoError } from '@/lib/errors/errors';
import { FileWatcher, watchedFolders } from '@/server/harness/watch-files';
import { printLine } from '../support/print-line';
import { type ClusterFlags, runTests } from './run-tests';
import { chooseSuite } from './suite-flags';

/** Runs a suite again after every change of its files and of the packages beside them, until an interrupt. */
export async function watchTests(words: readonly string[], flags: ClusterFlags, signal: AbortSignal): Promise<never> {
  const { suite, file } = await chooseSuite(words, flags);
  const folders = await Promise.all(
    suite.testDirs.filter((path) => !/^https?:/.test(path)).map((path) => watchedFolders(resolve(path))),
  );
  const extra = [file ?? '', suite.crdDir, ...suite.manifestDirs].filter((path) => path !== '');
  const watcher = new FileWatcher(
    [...new Set([...folders.flat(), ...extra.map((path) => resolve(path))])],
    systemClock,
  );
  let written: ReadonlySet<string> = new Set();
  try {
    for (;;) {
      watcher.take();
      await runOnce(words, flags, signal);
      const during = [...watcher.take()];
      // A suite that writes into its own folder does so in every run: what changed in the last one, too, starts no other.
      const isNew = during.some((path) => !written.has(path));
      written = new Set(during);
      if (isNew) continue;
      printLine('Waiting for changes. Press Ctrl-C to end.');
      await watcher.next(signal);
    }
  } finally {
    watcher.close();
  }
}

/** A mistake in a file of the suite is printed, and the next change tries again. */
async function runOnce(words: readonly string[], flags: ClusterFlags, signal: AbortSignal): Promise<void> {
  try {
    await runTests(words, flags, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BravoError)) throw error;
    printLine(error.message);
  }
}
