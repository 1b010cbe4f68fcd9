import { formatTime } from '@/lib/clock/clock';
import { invoke } from '../language/interpreter';
import { decode, print } from '../language/io';
import type { ShellProgram } from '../language/session';
import { readOptions } from './options';

/** Programs that print facts of the system, the time and the environment. */
export const systemPrograms: { readonly [name: string]: ShellProgram } = {
  *sleep({ argv, session }) {
    let ms = 0;
    for (const arg of argv.slice(1)) {
      if (arg === 'infinity' || arg === 'inf') yield { kind: 'forever' };
      const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg) ?? [];
      if (amount === undefined) return 1;
      ms += Number(amount) * (UNITS.get(unit) ?? 1000);
    }
    session.step();
    if (ms > 0) yield { kind: 'sleep', ms };
    return 0;
  },
  date({ argv, session, streams }) {
    const format = argv.find((arg) => arg.startsWith('+'))?.slice(1) ?? '%a %b %e %H:%M:%S UTC %Y';
    const [, seconds] = /^@(\d+)$/.exec(argv[argv.indexOf('-d') + 1] ?? '') ?? [];
    const timeMs = seconds === undefined ? session.host.clock.now() : Number(seconds) * 1000;
    print(streams.stdout, `${formatDate(timeMs, format)}\n`);
    return 0;
  },
  sync: () => 0,
  clear({ streams }) {
    print(streams.stdout, '\x1b[H\x1b[2J\x1b[3J');
    return 0;
  },
  tty({ session, streams }) {
    print(streams.stdout, session.host.terminal === undefined ? 'not a tty\n' : '/dev/pts/0\n');
    return session.host.terminal === undefined ? 1 : 0;
  },
  stty({ argv, session, streams }) {
    const size = session.host.terminal?.size();
    if (size === undefined) print(streams.stderr, 'stty: standard input: Not a tty\n');
    else if (argv[1] === 'size') print(streams.stdout, `${size.rows} ${size.columns}\n`);
    return size === undefined ? 1 : 0;
  },
  /** A container has its main process, and what runs now. */
  ps({ session, streams }) {
    print(streams.stdout, 'PID   USER     TIME  COMMAND\n');
    for (const [at, command] of ['(main process)', session.name, 'ps'].entries()) {
      print(streams.stdout, `${String(at === 0 ? 1 : at + 6).padStart(5)} root      0:00 ${command}\n`);
    }
    return 0;
  },
  /** Volumes of the sandbox have no size of their own: a simulated GiB, in blocks of 1 KiB. */
  df({ argv, streams }) {
    const folder = argv.findLast((arg, index) => index > 0 && !arg.startsWith('-')) ?? '/';
    const header = 'Filesystem           1024-blocks    Used Available Capacity Mounted on';
    print(streams.stdout, `${header}\nsandbox                 1048576       0   1048576       0% ${folder}\n`);
    return 0;
  },
  hostname({ argv, session, streams }) {
    print(streams.stdout, `${/^-[iI]$/.test(argv[1] ?? '') ? session.host.ip : session.host.hostname}\n`);
    return 0;
  },
  id({ argv, streams }) {
    const text = { '-u': '0', '-g': '0', '-un': 'root' }[argv[1] ?? ''] ?? 'uid=0(root) gid=0(root) groups=0(root)';
    print(streams.stdout, `${text}\n`);
    return 0;
  },
  *env(call) {
    const { session, streams, argv } = call;
    let at = 1;
    for (; /^[A-Za-z_]\w*=/.test(argv[at] ?? ''); at++) {
      const [name = '', ...value] = (argv[at] ?? '').split('=');
      session.export(name, value.join('='));
    }
    if (at < argv.length) return yield* invoke({ ...call, argv: argv.slice(at) });
    for (const name of session.exported) print(streams.stdout, `${name}=${session.variables.get(name) ?? ''}\n`);
    return 0;
  },
  *xargs(call) {
    const { operands } = readOptions(call.argv, 'nL');
    const text = decode(yield* call.streams.stdin.all());
    const words = text.split(/\s+/).filter((word) => word !== '');
    const command = operands.length === 0 ? ['echo'] : operands;
    return words.length === 0 ? 0 : yield* invoke({ ...call, argv: [...command, ...words] });
  },
  /** One program with the names of all: `busybox sh x.sh`. `--install` has nothing to do. */
  *busybox(call) {
    const argv = call.argv.slice(1);
    return argv[0] === undefined || argv[0].startsWith('-') ? 0 : yield* invoke({ ...call, argv });
  },
  *timeout(call) {
    const at = call.argv.findIndex((arg, index) => index > 0 && /^\d/.test(arg));
    return yield* invoke({ ...call, argv: call.argv.slice(at + 1) });
  },
};

const UNITS = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS = 'Thu Fri Sat Sun Mon Tue Wed'.split(' ');

/** The fields of `date +FORMAT` that scripts use, in UTC. */
function formatDate(ms: number, format: string): string {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = formatTime(ms).split(/[-T:Z]/);
  const fields = new Map([
    ['Y', year],
    ['m', month],
    ['d', day],
    ['e', String(Number(day)).padStart(2)],
    ['H', hour],
    ['M', minute],
    ['S', second],
    ['F', `${year}-${month}-${day}`],
    ['T', `${hour}:${minute}:${second}`],
    ['s', String(Math.floor(ms / 1000))],
    ['N', `${String(ms % 1000).padStart(3, '0')}000000`],
    ['a', DAYS[Math.floor(ms / 86_400_000) % 7] ?? ''],
    ['b', MONTHS[Number(month) - 1] ?? ''],
    ['Z', 'UTC'],
  ]);
  return format.replace(/%([a-zA-Z])/g, (whole, letter: string) => fields.get(letter) ?? whole);
}
