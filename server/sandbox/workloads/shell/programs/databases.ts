import { formatTime } from '@/lib/clock/clock';
import { decode, encode, print } from '../io';
import type { Call, Program } from '../session';

/**
 * Clients of databases, as programs that say what they did and succeed: a dump writes real bytes that name the database
 * and the time, a restore reads what it is given. No connection is opened.
 */
export const databasePrograms: { readonly [name: string]: Program } = {
  pg_dump(call) {
    return dump(call, 'PostgreSQL database dump', option(call, 'd', 'dbname') ?? operand(call) ?? 'postgres');
  },
  pg_dumpall(call) {
    return dump(call, 'PostgreSQL database cluster dump', 'all databases');
  },
  mysqldump(call) {
    return dump(call, 'MySQL dump', operand(call) ?? 'all databases');
  },
  psql: client,
  mysql: client,
  mysqladmin: client,
  pg_restore(call) {
    return restore(call, operand(call));
  },
  pg_isready({ streams, session }) {
    print(streams.stdout, `${session.host.hostname}:5432 - accepting connections\n`);
    return 0;
  },
  *'redis-cli'(call) {
    const words = call.argv
      .slice(1)
      .filter((arg) => !arg.startsWith('-'))
      .map((arg) => arg.toUpperCase());
    print(call.streams.stdout, `${words.includes('PING') ? 'PONG' : 'OK'}\n`);
    return 0;
  },
  etcdctl(call) {
    const { argv, streams } = call;
    const endpoints = option(call, '', 'endpoints') ?? '127.0.0.1:2379';
    const words = argv.slice(1).filter((arg) => !arg.startsWith('-'));
    const file = words.at(-1) ?? '';
    if (argv.includes('snapshot') && argv.includes('save')) {
      write(call, file, `etcd snapshot of ${endpoints} at ${formatTime(call.session.nowMs())}\n`);
      print(streams.stdout, `Snapshot saved at ${file}\n`);
    } else if (argv.includes('snapshot') && (argv.includes('restore') || argv.includes('status'))) {
      const bytes = call.session.host.files.read(call.session.path(file));
      print(streams.stdout, `Snapshot ${file}: ${bytes.length} bytes, read\n`);
    } else if (argv.includes('health')) {
      for (const endpoint of endpoints.split(','))
        print(streams.stdout, `${endpoint} is healthy: successfully committed proposal\n`);
    } else {
      print(streams.stdout, `etcdctl ${words.join(' ')}: OK\n`);
    }
    return 0;
  },
};

function dump(call: Call, title: string, database: string): number {
  const { session } = call;
  const host = option(call, 'h', 'host') ?? session.variables.get('PGHOST') ?? 'localhost';
  const text = `--\n-- ${title}\n-- database: ${database}, host: ${host}, at ${formatTime(session.nowMs())}\n--\n`;
  const file = option(call, 'f', 'file') ?? option(call, 'r', 'result-file');
  if (file === undefined) print(call.streams.stdout, text);
  else write(call, file, text);
  print(call.streams.stderr, `${call.argv[0]}: dumped ${database} of ${host}\n`);
  return 0;
}

function* client(call: Call): ReturnType<Program> {
  const { argv, streams } = call;
  const statement = option(call, 'c', 'command') ?? option(call, 'e', 'execute');
  const file = option(call, 'f', 'file');
  if (statement !== undefined) {
    print(streams.stdout, `${argv[0]}: ${statement}\nOK\n`);
    return 0;
  }
  if (file !== undefined) return restore(call, file);
  const text = decode(yield* streams.stdin.all(call.session.host.limits.fileBytes));
  print(streams.stdout, `${argv[0]}: read ${text.split('\n').length - 1} lines\nOK\n`);
  return 0;
}

function restore(call: Call, file: string | undefined): number {
  if (file === undefined) return 0;
  const bytes = call.session.host.files.read(call.session.path(file));
  print(call.streams.stdout, `${call.argv[0]}: restored ${bytes.length} bytes from ${file}\n`);
  return 0;
}

function write(call: Call, file: string, text: string): void {
  call.session.host.files.write(call.session.path(file), encode(text), { nowMs: call.session.nowMs() });
}

/** The value of `-x v`, `-xv`, `--long v` or `--long=v`. */
function option({ argv }: Call, letter: string, long: string): string | undefined {
  for (const [index, arg] of argv.entries()) {
    if (arg.startsWith(`--${long}=`)) return arg.slice(long.length + 3);
    if (arg === `--${long}` || (letter !== '' && arg === `-${letter}`)) return argv[index + 1];
    if (letter !== '' && arg.startsWith(`-${letter}`) && arg.length > 2 && !arg.startsWith('--')) return arg.slice(2);
  }
  return undefined;
}

const TAKES_VALUE = /^-[hUpdfFPu]$/;

/** The first word that is neither an option nor the value of one. */
function operand({ argv }: Call): string | undefined {
  return argv.find((arg, index) => index > 0 && !arg.startsWith('-') && !TAKES_VALUE.test(argv[index - 1] ?? ''));
}
