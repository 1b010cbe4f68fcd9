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
  return `simulated by the Bravo sandbox: ${program} did nothing\n`;
}

function simulate(call: ProgramCall): number {
  const { argv, streams } = call;
  const [program = ''] = argv;
  const name = program.split('/').at(-1) ?? program;
  const line = simulatedLine(name);
  print(streams.stderr, line);
  const text = `${line}${argv.join(' ')}\n`;
  const files = outputsOf(name, argv);
  for (const file of files) writeFile(call, file, text);
  if (files.length === 0 && printsItsResult(name, argv)) print(streams.stdout, text);
  const folder = argv.includes('restore') ? optionOf(argv, ['--data-dir']) : undefined;
  if (folder !== undefined) writeFile(call, `${folder}/member/snap/db`, text);
  return 0;
}

/** A dump or a page goes to stdout where no file is named. */
function printsItsResult(name: string, argv: readonly string[]): boolean {
  return (
    name.includes('dump') || name === 'curl' || (name === 'wget' && optionOf(argv, FILE_OPTIONS.wget ?? []) === '-')
  );
}

const FILE_OPTIONS: { readonly [name: string]: readonly string[] } = {
  pg_dump: ['-f', '--file'],
  pg_dumpall: ['-f', '--file'],
  mysqldump: ['-r', '--result-file'],
  etcdctl: ['save'],
  etcdutl: ['save'],
  curl: ['-o', '--output'],
  wget: ['-O', '--output-document'],
};
const KEY_OPTIONS = ['-out', '-keyout', '-keystore'];

function outputsOf(name: string, argv: readonly string[]): string[] {
  if (name === 'openssl' || name === 'keytool') return KEY_OPTIONS.flatMap((option) => optionOf(argv, [option]) ?? []);
  const named = optionOf(argv, FILE_OPTIONS[name] ?? []);
  if (named !== undefined) return named === '-' ? [] : [named];
  const saves = name === 'wget' || (name === 'curl' && argv.some((arg) => /^-\w*O/.test(arg)));
  const path = argv.findLast((arg, index) => index > 0 && !arg.startsWith('-'))?.replace(/^\w+:\/\/[^/]*/, '') ?? '';
  return saves ? [path.split('/').at(-1) || 'index.html'] : [];
}

/** The value of the first of these options that is given, as `-x v`, `-qx v`, `--long v` or `--long=v`. */
function optionOf(argv: readonly string[], options: readonly string[]): string | undefined {
  for (const [index, arg] of argv.entries()) {
    for (const option of options) {
      if (arg.startsWith(`${option}=`)) return arg.slice(option.length + 1);
      const isShort = /^-\w$/.test(option) && /^-\w+$/.test(arg) && arg.endsWith(option.slice(1));
      if (arg === option || isShort) return argv[index + 1];
    }
  }
  return undefined;
}

function writeFile({ session }: ProgramCall, file: string, text: string): void {
  const path = session.path(file);
  session.host.files.makeDirectories(path.slice(0, path.lastIndexOf('/')), session.nowMs());
  session.host.files.write(path, encode(text), { nowMs: session.nowMs() });
}
