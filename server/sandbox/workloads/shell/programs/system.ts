import { formatTime } from '@/lib/clock/clock';
import { invoke } from '../language/interpreter';
import { decode, print } from '../language/io';
import type { ShellProgram } from '../language/session';
import { readOptions } from './options';
import { linesOf } from './text';

/** Programs that print facts of the system, the time and the environment. */
export const systemPrograms: { readonly [name: string]: ShellProgram } = {
  *sleep({ argv, session }) {
    let totalMs = 0;
    for (const arg of argv.slice(1)) {
      if (arg === 'infinity' || arg === 'inf') yield { kind: 'forever' };
      const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg) ?? [];
      if (amount === '') return 1;
      totalMs += Number(amount) * (UNITS[unit === '' ? 's' : unit] ?? 1000);
    }
    session.step();
    if (totalMs > 0) yield { kind: 'sleep', ms: totalMs };
    return 0;
  },
  date({ argv, session, streams }) {
    const format = argv.find((arg) => arg.startsWith('+'))?.slice(1);
    print(
      streams.stdout,
      `${format === undefined ? plainDate(session.nowMs()) : formatDate(session.nowMs(), format)}\n`,
    );
    return 0;
  },
  hostname({ argv, session, streams }) {
    print(streams.stdout, `${argv.includes('-i') || argv.includes('-I') ? session.host.ip : session.host.hostname}\n`);
    return 0;
  },
  id({ argv, streams }) {
    const { options } = readOptions(argv.slice(1));
    const text = options.has('u')
      ? options.has('n')
        ? 'root'
        : '0'
      : options.has('g')
        ? '0'
        : 'uid=0(root) gid=0(root) groups=0(root)';
    print(streams.stdout, `${text}\n`);
    return 0;
  },
  *env(call) {
    const { session, streams } = call;
    let at = 1;
    for (; /^[A-Za-z_]\w*=/.test(call.argv[at] ?? ''); at++) {
      const [name = '', ...value] = (call.argv[at] ?? '').split('=');
      session.export(name, value.join('='));
    }
    if (at < call.argv.length) return yield* invoke({ ...call, argv: call.argv.slice(at) });
    for (const name of [...session.exported]) print(streams.stdout, `${name}=${session.variables.get(name) ?? ''}\n`);
    return 0;
  },
  *xargs(call) {
    const { options, operands } = readOptions(call.argv.slice(1), 'nI');
    const text = decode(yield* call.streams.stdin.all(call.session.host.limits.fileBytes));
    const words = text.split(/\s+/).filter((word) => word !== '');
    const command = operands.length === 0 ? ['echo'] : operands;
    const holder = options.get('I');
    if (holder !== undefined) {
      for (const line of linesOf(new TextEncoder().encode(text))) {
        yield* invoke({ ...call, argv: command.map((arg) => arg.replaceAll(holder, line)) });
      }
      return 0;
    }
    return words.length === 0 ? 0 : yield* invoke({ ...call, argv: [...command, ...words] });
  },
  *timeout(call) {
    const at = call.argv.findIndex((arg, index) => index > 0 && /^\d/.test(arg));
    return yield* invoke({ ...call, argv: call.argv.slice(at + 1) });
  },
};

const UNITS: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'];

/** `Sat Nov 21 20:24:22 UTC 2026` */
function plainDate(ms: number): string {
  return formatDate(ms, '%a %b %e %H:%M:%S UTC %Y');
}

/** The fields of `date +FORMAT` that scripts use, in UTC. */
function formatDate(ms: number, format: string): string {
  const iso = formatTime(ms);
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const [hour = '', minute = '', second = ''] = iso.slice(11, 19).split(':');
  const fields: { readonly [letter: string]: string } = {
    Y: year,
    y: year.slice(2),
    m: month,
    d: day,
    e: String(Number(day)).padStart(2),
    H: hour,
    M: minute,
    S: second,
    F: `${year}-${month}-${day}`,
    T: `${hour}:${minute}:${second}`,
    s: String(Math.floor(ms / 1000)),
    N: `${String(ms % 1000).padStart(3, '0')}000000`,
    a: DAYS[Math.floor(ms / 86_400_000) % 7] ?? '',
    b: MONTHS[Number(month) - 1] ?? '',
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    '%': '%',
  };
  return format.replace(/%([a-zA-Z%])/g, (whole, letter: string) => fields[letter] ?? whole);
}
