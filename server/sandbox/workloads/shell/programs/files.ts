import { formatTime } from '@/lib/clock/clock';
import { FileError, type TreeNode } from '../language/file-tree';
import { print } from '../language/io';
import { matchesGlob } from '../language/pattern';
import type { ProgramCall, ShellProgram } from '../language/session';
import { check } from './condition';
import { readOptions } from './options';

/** Programs that move and describe files. */
export const filePrograms: { readonly [name: string]: ShellProgram } = {
  cp: (call) => transfer(call),
  mv: (call) => transfer(call),
  /** Files in memory have no links: a link is a copy of what it points to now. One that points nowhere is not made. */
  ln(call) {
    const {
      options,
      operands: [target = '', link = ''],
    } = readOptions(call.argv);
    const { session } = call;
    const isRelative = options.has('s') && !target.startsWith('/');
    const from = isRelative ? `${session.path(link).replace(/[^/]*$/, '')}${target}` : target;
    if (options.has('s') && session.node(from) === undefined) return 0;
    return transfer({ ...call, argv: ['cp', options.has('s') ? '-r' : '--', from, link] });
  },
  rm(call) {
    const { options, operands } = readOptions(call.argv);
    return eachName(call, operands, (name) => {
      const node = call.session.node(name);
      if (node === undefined && options.has('f')) return;
      if (node?.kind === 'directory' && !isRecursive(options)) throw new FileError('Is a directory');
      call.session.host.files.remove(call.session.path(name));
    });
  },
  mkdir(call) {
    const { options, operands } = readOptions(call.argv, 'm');
    return eachName(call, operands, (name) => {
      const { files } = call.session.host;
      const path = call.session.path(name);
      if (!options.has('p')) {
        if (files.get(path) !== undefined) throw new FileError('File exists');
        const isKnown = files.isOfImage(path) || call.session.node(`${path}/..`) !== undefined;
        if (!isKnown) throw new FileError('No such file or directory');
      }
      files.makeDirectories(path);
    });
  },
  touch(call) {
    return eachName(call, readOptions(call.argv, 'dtr').operands, (name) => {
      const node = call.session.node(name);
      if (node?.kind !== 'directory') call.session.write(name, node?.content ?? new Uint8Array(0));
    });
  },
  ls: list,
  stat(call) {
    const { options, operands } = readOptions(call.argv, 'c');
    return eachName(call, operands, (name) => {
      const node = nodeOf(call, name);
      const isFile = node.kind === 'file';
      const fields = new Map<string, unknown>([
        ['s', sizeOf(node)],
        ['n', name],
        ['F', isFile ? 'regular file' : 'directory'],
        ['a', isFile ? node.mode.toString(8) : '755'],
        ['Y', Math.floor(node.modifiedMs / 1000)],
        ['y', formatTime(node.modifiedMs)],
      ]);
      const format = options.get('c') ?? '%n %s %F %y';
      print(
        call.streams.stdout,
        `${format.replace(/%([a-zA-Z])/g, (all, field) => String(fields.get(field) ?? all))}\n`,
      );
    });
  },
  find(call) {
    const { argv, session } = call;
    const value = (option: string): string | undefined =>
      argv.includes(option) ? argv[argv.indexOf(option) + 1] : undefined;
    const start = argv[1]?.startsWith('-') === false ? argv[1] : '.';
    const path = session.path(start);
    for (const [each, node] of session.host.files.walk(path)) {
      session.step();
      const type = value('-type');
      if (type !== undefined && (type === 'd') !== (node.kind === 'directory')) continue;
      if (!matchesGlob(value('-name') ?? '*', each.split('/').at(-1) ?? '')) continue;
      const below = each.slice(path === '/' ? 1 : path.length + 1);
      print(call.streams.stdout, `${below === '' ? start : `${start.replace(/\/$/, '')}/${below}`}\n`);
    }
    return 0;
  },
  chmod: change,
  chown: change,
  test: ({ argv, session }) => (check(argv.slice(1), session) ? 0 : 1),
  '[': ({ argv, session }) => (check(argv.slice(1, -1), session) ? 0 : 1),
  '[[': ({ argv, session }) => (check(argv.slice(1, -1), session) ? 0 : 1),
};

/** Does something with each name; an error is reported with the name, and the status is 1. */
export function eachName(
  { argv, session, streams }: ProgramCall,
  names: readonly string[],
  use: (name: string) => void,
): number {
  let status = 0;
  for (const name of names) {
    session.step();
    try {
      use(name);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      print(streams.stderr, `${argv[0]}: ${name}: ${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

function nodeOf({ session }: ProgramCall, name: string): TreeNode {
  const node = session.node(name);
  if (node === undefined) throw new FileError('No such file or directory');
  return node;
}

function sizeOf(node: TreeNode): number {
  return node.kind === 'file' ? node.content.length : 4096;
}

function isRecursive(options: ReadonlyMap<string, string>): boolean {
  return ['r', 'R', 'a'].some((letter) => options.has(letter));
}

/** `cp` and `mv`: the last operand is the target. */
function transfer(call: ProgramCall): number {
  const { argv, session } = call;
  const { options, operands } = readOptions(argv);
  const target = operands.at(-1);
  if (target === undefined || operands.length < 2) throw new FileError('missing file operand');
  const isInto = session.node(target)?.kind === 'directory';
  return eachName(call, operands.slice(0, -1), (name) => {
    const { files } = session.host;
    const from = session.path(name);
    const to = session.path(isInto ? `${target}/${from.split('/').at(-1)}` : target);
    if (nodeOf(call, name).kind === 'directory') {
      if (argv[0] === 'cp' && !isRecursive(options)) throw new FileError('Is a directory');
      if (`${to}/`.startsWith(`${from}/`)) throw new FileError('Invalid argument');
    }
    for (const [path, node] of files.walk(from)) {
      session.step();
      if (node.kind === 'file') files.write(to + path.slice(from.length), node.content, node.mode);
      else files.makeDirectories(to + path.slice(from.length));
    }
    if (argv[0] === 'mv') files.remove(from);
  });
}

function list(call: ProgramCall): number {
  const { options, operands } = readOptions(call.argv);
  const { files } = call.session.host;
  const names = operands.length === 0 ? ['.'] : operands;
  const show = (name: string, node: TreeNode): void => {
    const mode = node.kind === 'file' ? '-rw-r--r--' : 'drwxr-xr-x';
    const time = formatTime(node.modifiedMs).slice(0, 16).replace('T', ' ');
    const details = options.has('l') ? `${mode} 1 root root ${String(sizeOf(node)).padStart(8)} ${time} ` : '';
    print(call.streams.stdout, `${details}${name}\n`);
  };
  return eachName(call, names, (name) => {
    const path = call.session.path(name);
    const node = nodeOf(call, name);
    if (node.kind === 'file' || options.has('d')) {
      show(name, node);
      return;
    }
    if (names.length > 1) print(call.streams.stdout, `${name}:\n`);
    for (const child of files.list(path)) {
      const isShown = !child.startsWith('.') || options.has('a') || options.has('A');
      if (isShown) show(child, nodeOf(call, `${path}/${child}`));
    }
  });
}

/** `chmod` and `chown` change nothing: options, then a mode (which may begin with a dash) or an owner, then files. */
function change(call: ProgramCall): number {
  const words = call.argv.slice(1);
  const names = words.slice(words.findIndex((word) => !/^-(-.*|[RfvchHLP]+)$/.test(word)) + 1);
  return eachName(call, names, (name) => {
    nodeOf(call, name);
  });
}
