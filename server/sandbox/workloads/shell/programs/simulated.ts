import { SIMULATED_PREFIX } from '@/lib/kudo/health-checks/outcome';
import { encode, print } from '../language/io';
import type { ProgramCall, ShellProgram } from '../language/session';

/**
 * Programs that need a server, a database or real keys. None of them does anything: each says on stderr that it is simulated,
 * succeeds, and writes the files that it was told to write, with a line that says the same.
 */
const NAMES =
  'pg_dump pg_dumpall pg_restore pg_isready psql mysql mysqladmin mysqldump redis-cli etcdctl etcdutl openssl keytool curl wget nc nslookup';

export const simulatedPrograms: { readonly [name: string]: ShellProgram } = Object.fromEntries(
  NAMES.split(' ').map((name) => [name, simulate]),
);

/** The line that every simulated program prints, with its newline. */
export function simulatedLine(program: string): string {
  return `${SIMULATED_PREFIX}: ${program} did nothing\n`;
}

function simulate(call: ProgramCall): number {
  const { argv, streams, session } = call;
  session.host.onSimulated?.(argv);
  const name = (argv[0] ?? '').split('/').at(-1) ?? '';
  const line = simulatedLine(name);
  print(streams.stderr, line);
  const text = encode(`${line}${argv.join(' ')}\n`);
  const files = outputsOf(name, argv).filter((file) => file !== '-');
  if (argv.includes('restore'))
    files.push(...valuesOf(argv, ['--data-dir']).map((folder) => `${folder}/member/snap/db`));
  for (const file of files) {
    session.host.files.makeDirectories(session.path(`${file}/..`));
    session.write(file, text);
  }
  if (files.length === 0 && /dump|^curl$|^wget$/.test(name)) streams.stdout.write(text);
  return 0;
}

/** The options that name the file which a program writes. */
const FILE_OPTIONS = new Map([
  ['pg_dump', ['-f', '--file']],
  ['pg_dumpall', ['-f', '--file']],
  ['mysqldump', ['-r', '--result-file']],
  ['etcdctl', ['save']],
  ['etcdutl', ['save']],
  ['curl', ['-o', '--output']],
  ['wget', ['-O', '--output-document']],
  ['openssl', ['-out', '-keyout']],
  ['keytool', ['-keystore']],
]);

function outputsOf(name: string, argv: readonly string[]): string[] {
  const named = valuesOf(argv, FILE_OPTIONS.get(name) ?? []);
  const saves = name === 'wget' || (name === 'curl' && argv.some((arg) => /^-\w*O/.test(arg)));
  if (named.length > 0 || !saves) return named;
  const path = argv.findLast((arg, index) => index > 0 && !arg.startsWith('-'))?.replace(/^\w+:\/\/[^/]*/, '') ?? '';
  return [path.split('/').at(-1) || 'index.html'];
}

/** The values of these options, given as `-x v`, `-qx v`, `--long v` or `--long=v`. */
function valuesOf(argv: readonly string[], options: readonly string[]): string[] {
  return argv.flatMap((arg, index) =>
    options.flatMap((option) => {
      if (arg.startsWith(`${option}=`)) return [arg.slice(option.length + 1)];
      const isShort = /^-\w$/.test(option) && /^-\w+$/.test(arg) && arg.endsWith(option.slice(1));
      return arg === option || isShort ? [argv[index + 1] ?? '-'] : [];
    }),
  );
}
