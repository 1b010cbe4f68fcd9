import { formatTime } from '@/lib/clock/clock';
import type { Steps } from '../language/effects';
import { FileError } from '../language/file-tree';
import { print } from '../language/io';
import { matchesGlob } from '../language/pattern';
import type { ProgramCall, ShellProgram } from '../language/session';
import { check } from './condition';
import { readOptions } from './options';

/** Programs that move and describe files. */
export const filePrograms: { readonly [name: string]: ShellProgram } = {
  cp(call) {
    const { options, operands } = readOptions(call.argv.slice(1));
    const recursive = ['r', 'R', 'a'].some((letter) => options.has(letter));
    return transfer(call, operands, (from, to) => copy(call, from, to, recursive));
  },
  mv(call) {
    const { operands } = readOptions(call.argv.slice(1));
    return transfer(call, operands, (from, to) => {
      copy(call, from, to, true);
      call.session.host.files.remove(from, call.session.nowMs());
    });
  },
  rm(call) {
    const { options, operands } = readOptions(call.argv.slice(1));
    const { session, streams } = call;
    let status = 0;
    for (const name of operands) {
      const path = session.path(name);
      const node = session.host.files.get(path);
      const problem =
        node === undefined
          ? options.has('f')
            ? undefined
            : "can't remove 'X': No such file or directory"
          : node.kind === 'directory' && !options.has('r') && !options.has('R')
            ? "'X' is a directory"
            : undefined;
      if (problem !== undefined) {
        print(streams.stderr, `rm: ${problem.replace('X', name)}\n`);
        status = 1;
      } else if (node !== undefined) {
        session.host.files.remove(path, session.nowMs());
      }
    }
    return status;
  },
  mkdir(call) {
    const { options, operands } = readOptions(call.argv.slice(1), 'm');
    const { session, streams } = call;
    let status = 0;
    for (const name of operands) {
      try {
        if (options.has('p')) session.host.files.makeDirectories(session.path(name), session.nowMs());
        else session.host.files.makeDirectory(session.path(name), session.nowMs());
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        print(streams.stderr, `mkdir: can't create directory '${name}': ${error.message}\n`);
        status = 1;
      }
    }
    return status;
  },
  touch(call) {
    const { operands } = readOptions(call.argv.slice(1), 'dtr');
    const { session } = call;
    for (const name of operands) {
      const path = session.path(name);
      const node = session.host.files.get(path);
      if (node?.kind === 'directory') continue;
      session.host.files.write(path, node?.content ?? new Uint8Array(0), { nowMs: session.nowMs() });
    }
    return 0;
  },
  ls: list,
  stat(call) {
    const { options, operands } = readOptions(call.argv.slice(1), 'cf');
    const format = options.get('c') ?? options.get('format') ?? '%n %s %F %y';
    let status = 0;
    for (const name of operands) {
      const node = call.session.host.files.get(call.session.path(name));
      if (node === undefined) {
        print(call.streams.stderr, `stat: can't stat '${name}': No such file or directory\n`);
        status = 1;
        continue;
      }
      const size = node.kind === 'file' ? node.content.length : 4096;
      const mode = node.kind === 'file' ? node.mode : 0o755;
      const seconds = Math.floor(node.modifiedMs / 1000);
      const fields: { readonly [letter: string]: string } = {
        s: String(size),
        n: name,
        F: node.kind === 'file' ? (size === 0 ? 'regular empty file' : 'regular file') : 'directory',
        a: mode.toString(8),
        Y: String(seconds),
        y: formatTime(node.modifiedMs),
        U: 'root',
        G: 'root',
        u: '0',
        g: '0',
        b: String(Math.ceil(size / 512)),
        '%': '%',
      };
      print(
        call.streams.stdout,
        `${format.replace(/%([a-zA-Z%])/g, (whole, letter: string) => fields[letter] ?? whole)}\n`,
      );
    }
    return status;
  },
  find(call) {
    const { argv, streams } = call;
    const start = argv[1] !== undefined && !argv[1].startsWith('-') ? argv[1] : '.';
    const name = argv[argv.indexOf('-name') + 1] ?? '';
    const type = argv.includes('-type') ? argv[argv.indexOf('-type') + 1] : undefined;
    for (const path of walk(call, start)) {
      const node = call.session.host.files.get(call.session.path(path));
      if (type !== undefined && (type === 'd') !== (node?.kind === 'directory')) continue;
      if (argv.includes('-name') && !matchesGlob(name, path.split('/').at(-1) ?? '')) continue;
      print(streams.stdout, `${path}\n`);
    }
    return 0;
  },
  chmod: change,
  chown: change,
  chgrp: change,
  sync() {
    return 0;
  },
  test({ argv, session }) {
    return check(argv.slice(1), session) ? 0 : 1;
  },
  '['({ argv, session }) {
    return check(argv.slice(1, argv.at(-1) === ']' ? -1 : undefined), session) ? 0 : 1;
  },
  '[['({ argv, session }) {
    return check(argv.slice(1, argv.at(-1) === ']]' ? -1 : undefined), session) ? 0 : 1;
  },
};

/** The last operand is the target; several sources need a directory. */
function transfer(call: ProgramCall, operands: readonly string[], move: (from: string, to: string) => void): number {
  const { session, streams } = call;
  const target = operands.at(-1);
  if (target === undefined || operands.length < 2) {
    print(streams.stderr, `${call.argv[0]}: missing file operand\n`);
    return 1;
  }
  const into = session.host.files.get(session.path(target))?.kind === 'directory';
  let status = 0;
  for (const name of operands.slice(0, -1)) {
    const from = session.path(name);
    const base = from.split('/').at(-1) ?? '';
    try {
      move(from, into ? session.path(`${target}/${base}`) : session.path(target));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      print(
        streams.stderr,
        `${call.argv[0]}: can't ${call.argv[0] === 'mv' ? 'rename' : 'copy'} '${name}': ${error.message}\n`,
      );
      status = 1;
    }
  }
  return status;
}

function copy(call: ProgramCall, from: string, to: string, recursive: boolean): void {
  const { files } = call.session.host;
  call.session.step();
  const node = files.get(from);
  if (node === undefined) throw new FileError('No such file or directory');
  const nowMs = call.session.nowMs();
  if (node.kind === 'file') {
    files.write(to, node.content, { nowMs, mode: node.mode });
    return;
  }
  if (!recursive) throw new FileError('Is a directory');
  if (`${to}/`.startsWith(`${from}/`)) throw new FileError('Invalid argument');
  if (files.get(to) === undefined) files.makeDirectory(to, nowMs);
  for (const name of files.list(from)) copy(call, `${from}/${name}`, `${to}/${name}`, true);
}

function* list(call: ProgramCall): Steps<number> {
  const { options, operands } = readOptions(call.argv.slice(1));
  const { session, streams } = call;
  const { files } = session.host;
  let status = 0;
  const names = operands.length === 0 ? ['.'] : operands;
  const show = (name: string, path: string): void => {
    const node = files.get(path);
    const size = node?.kind === 'file' ? node.content.length : 4096;
    const mode = node?.kind === 'file' ? '-rw-r--r--' : 'drwxr-xr-x';
    const time = formatTime(node?.modifiedMs ?? 0)
      .slice(0, 16)
      .replace('T', ' ');
    print(
      streams.stdout,
      options.has('l') ? `${mode} 1 root root ${String(size).padStart(8)} ${time} ${name}\n` : `${name}\n`,
    );
  };
  for (const name of names) {
    session.step();
    const path = session.path(name);
    const node = files.get(path);
    if (node === undefined) {
      print(streams.stderr, `ls: ${name}: No such file or directory\n`);
      status = 1;
    } else if (node.kind === 'file' || options.has('d')) {
      show(name, path);
    } else {
      if (names.length > 1) print(streams.stdout, `${name}:\n`);
      for (const child of files.list(path)) {
        if (!child.startsWith('.') || options.has('a') || options.has('A')) show(child, `${path}/${child}`);
      }
    }
  }
  return status;
}

function* walk(call: ProgramCall, path: string): Generator<string> {
  call.session.step();
  const { files } = call.session.host;
  const node = files.get(call.session.path(path));
  if (node === undefined) return;
  yield path;
  if (node.kind !== 'directory') return;
  for (const name of files.list(call.session.path(path)))
    yield* walk(call, path.endsWith('/') ? path + name : `${path}/${name}`);
}

/** `chmod`, `chown`, `chgrp`: options, then a mode (which may begin with a dash) or an owner, then files. */
function change(call: ProgramCall): number {
  const words = call.argv.slice(1);
  const names = words.slice(words.findIndex((word) => !/^-(-.*|[RfvchHLP]+)$/.test(word)) + 1);
  const missing = names.filter((name) => call.session.host.files.get(call.session.path(name)) === undefined);
  for (const name of missing) print(call.streams.stderr, `${call.argv[0]}: ${name}: No such file or directory\n`);
  return missing.length === 0 ? 0 : 1;
}
