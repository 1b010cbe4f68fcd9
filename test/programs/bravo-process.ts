import { execFile } from 'node:child_process';
import { projectRoot } from '../../server/runtime/root';

/**
 * Runs the command line in a process of its own, so that this process answers it meanwhile. Resolves with what it printed; rejects with what it
 * wrote to standard error.
 */
export function bravoProcess(
  words: readonly string[],
  environment: { readonly [name: string]: string },
): Promise<string> {
  const options = { cwd: projectRoot, env: { ...process.env, ...environment } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['bin/bravo', ...words], options, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(`bravo ${words.join(' ')}: ${err}${out}`));
    });
  });
}
