import { startNode } from '@/test/programs/process';

/** Runs the command line of this folder. @returns what it printed. @throws Error with what it printed when it fails */
export async function bravo(words: readonly string[]): Promise<string> {
  const running = startNode(['bin/bravo', ...words]);
  const { code } = await running.exited();
  if (code !== 0) throw new Error(`bravo ${words.join(' ')} ended with ${code}: ${running.output().slice(-2_000)}`);
  return running.output();
}

/** The same for a command that must be refused. @returns what it printed. @throws Error when it succeeds */
export async function refusedBravo(words: readonly string[]): Promise<string> {
  const running = startNode(['bin/bravo', ...words]);
  const { code } = await running.exited();
  if (code === 0) throw new Error(`bravo ${words.join(' ')} was not refused: ${running.output().slice(-2_000)}`);
  return running.output();
}
