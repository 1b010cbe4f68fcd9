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
  openssl: keys,
  keytool: keys,
  etcdctl: etcd,
  etcdutl: etcd,
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

/** `etcdctl` and `etcdutl`: snapshots are files, members are told, everything else succeeds. */
function etcd(call: Call): number {
  const { argv, streams, session } = call;
  const endpoints = option(call, '', 'endpoints') ?? session.variables.get('ETCDCTL_ENDPOINTS') ?? '127.0.0.1:2379';
  const after = (word: string): string | undefined => {
    const at = argv.indexOf(word);
    return at < 0 ? undefined : argv.slice(at + 1).find((arg) => !arg.startsWith('-'));
  };
  const saved = after('save');
  const read = after('restore') ?? after('status');
  if (argv.includes('snapshot') && saved !== undefined) {
    write(call, saved, `etcd snapshot of ${endpoints} at ${formatTime(session.nowMs())}\n`);
    print(streams.stdout, `Snapshot saved at ${saved}\n`);
  } else if (argv.includes('snapshot') && read !== undefined) {
    const bytes = session.host.files.read(session.path(read));
    const folder = option(call, '', 'data-dir');
    if (argv.includes('restore') && folder !== undefined) {
      session.host.files.makeDirectories(session.path(`${folder}/member/snap`), session.nowMs());
      session.host.files.write(session.path(`${folder}/member/snap/db`), bytes, { nowMs: session.nowMs() });
    }
    print(streams.stdout, `Snapshot ${read}: ${bytes.length} bytes, read\n`);
  } else if (argv.includes('health')) {
    for (const endpoint of endpoints.split(','))
      print(streams.stdout, `${endpoint} is healthy: successfully committed proposal\n`);
  } else if (argv.includes('member') && argv.includes('list')) {
    print(streams.stdout, `8e9e05c52164694d, started, ${session.host.hostname}, ${endpoints}, ${endpoints}, false\n`);
  } else if (argv.includes('member') && argv.includes('add')) {
    const name = after('add') ?? '';
    print(
      streams.stdout,
      `ETCD_NAME="${name}"\nETCD_INITIAL_CLUSTER="${name}=${option(call, '', 'peer-urls') ?? ''}"\n`,
    );
  } else {
    print(
      streams.stdout,
      `${argv[0]} ${argv
        .slice(1)
        .filter((arg) => !arg.startsWith('-'))
        .join(' ')}: OK\n`,
    );
  }
  return 0;
}

/** `openssl` and `keytool`: the files that they are told to write are there afterwards; no key is made. */
function keys(call: Call): number {
  for (const [index, arg] of call.argv.entries()) {
    if (!['-out', '-keyout', '-keystore'].includes(arg)) continue;
    const file = call.argv[index + 1];
    if (file === undefined) continue;
    write(
      call,
      file,
      `-----BEGIN SANDBOX ${arg.slice(1).toUpperCase()}-----\n${call.argv[0]} made no real key\n-----END-----\n`,
    );
  }
  return 0;
}
