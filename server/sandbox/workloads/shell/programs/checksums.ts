import { createHash } from 'node:crypto';
import { FileError } from '../language/file-tree';
import { decode, print } from '../language/io';
import type { Steps } from '../language/process';
import type { ProgramCall, ShellProgram } from '../language/session';
import { readOptions } from './options';

/** `sha256sum` and `md5sum`, also with `-c`, as busybox has them. */
export const checksumPrograms: { readonly [name: string]: ShellProgram } = {
  sha256sum: (call) => checksum(call, 'sha256'),
  md5sum: (call) => checksum(call, 'md5'),
};

function* checksum(call: ProgramCall, algorithm: string): Steps<number> {
  const { options, operands } = readOptions(call.argv, '');
  if (options.has('c')) return check(call, algorithm, operands);
  const { session, streams } = call;
  for (const file of operands.length === 0 ? ['-'] : operands) {
    const bytes = file === '-' ? yield* streams.stdin.all() : session.read(file);
    print(streams.stdout, `${digest(algorithm, bytes)}  ${file}\n`);
  }
  return 0;
}

function check({ session, streams }: ProgramCall, algorithm: string, lists: readonly string[]): number {
  let failed = 0;
  for (const line of lists.flatMap((list) => decode(session.read(list)).split('\n'))) {
    const [, wanted, file = ''] = /^(\w+) [ *](.+)$/.exec(line) ?? [];
    if (wanted === undefined) continue;
    const isSame = digestOf(session, algorithm, file) === wanted;
    if (!isSame) failed += 1;
    print(streams.stdout, `${file}: ${isSame ? 'OK' : 'FAILED'}\n`);
  }
  if (failed > 0) print(streams.stderr, `WARNING: ${failed} computed checksums did NOT match\n`);
  return failed > 0 ? 1 : 0;
}

function digestOf(session: ProgramCall['session'], algorithm: string, file: string): string | undefined {
  try {
    return digest(algorithm, session.read(file));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function digest(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
