import { gunzipSync, gzipSync } from 'node:zlib';
import type { Steps } from '../language/effects';
import { FileError } from '../language/file-tree';
import { concat, decode, encode, print } from '../language/io';
import type { ProgramCall, ShellProgram } from '../language/session';
import { readOptions } from './options';

const BLOCK = 512;

/** One member of an archive. Directories have names that end in a slash and no content. */
export interface Member {
  readonly name: string;
  readonly content: Uint8Array;
  readonly mode: number;
  readonly modifiedMs: number;
}

/** `tar c`, which is how files of a pipe pod are copied, and `gzip`. */
export const archivePrograms: { readonly [name: string]: ShellProgram } = {
  tar(call) {
    const request = parseArguments(call.argv.slice(1));
    if (request.verb === 'c') return create(call, request);
    print(call.streams.stderr, 'tar: only archives can be made here: c\n');
    return 1;
  },
  gzip: squeeze,
  gunzip: squeeze,
};

interface TarRequest {
  readonly verb: string | undefined;
  readonly file: string;
  readonly directory: string | undefined;
  readonly verbose: boolean;
  readonly names: readonly string[];
}

function parseArguments(args: readonly string[]): TarRequest {
  let verb: string | undefined;
  let file = '-';
  let directory: string | undefined;
  let verbose = false;
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('--')) {
      if (arg === '--create') verb = 'c';
      else if (arg === '--extract') verb = 'x';
      else if (arg.startsWith('--directory=')) directory = arg.slice(12);
      else if (arg.startsWith('--file=')) file = arg.slice(7);
    } else if (arg !== '-' && (arg.startsWith('-') || at === 0)) {
      for (const letter of arg.replace('-', '')) {
        if (letter === 'f') file = args[++at] ?? '-';
        else if (letter === 'C') directory = args[++at];
        else if (letter === 'v') verbose = true;
        else if ('cxt'.includes(letter)) verb = letter;
      }
    } else {
      names.push(arg);
    }
  }
  return { verb, file, directory, verbose, names };
}

function create(call: ProgramCall, request: TarRequest): number {
  const { session, streams } = call;
  const base = request.directory ?? '.';
  const members: Member[] = [];
  for (const name of request.names) {
    const path = session.path(name.startsWith('/') ? name : `${base}/${name}`);
    if (session.host.files.get(path) === undefined) {
      print(streams.stderr, `tar: ${name}: No such file or directory\n`);
      return 1;
    }
    if (name.startsWith('/')) print(streams.stderr, "tar: removing leading '/' from member names\n");
    collect(call, path, name.replace(/^\/+/, ''), members);
  }
  const archive = packTar(members);
  if (request.file === '-') streams.stdout.write(archive);
  else session.host.files.write(session.path(request.file), archive, { nowMs: session.nowMs() });
  return 0;
}

function collect(call: ProgramCall, path: string, name: string, members: Member[]): void {
  const { files } = call.session.host;
  call.session.step();
  const node = files.get(path);
  if (node === undefined) throw new FileError('No such file or directory');
  if (node.kind === 'file') {
    members.push({ name, content: node.content, mode: node.mode, modifiedMs: node.modifiedMs });
    return;
  }
  const folder = name === '' || name.endsWith('/') ? name : `${name}/`;
  if (folder !== '')
    members.push({ name: folder, content: new Uint8Array(0), mode: 0o755, modifiedMs: node.modifiedMs });
  for (const child of files.list(path)) collect(call, `${path}/${child}`, `${folder}${child}`, members);
}

/** An archive in the ustar format (POSIX.1-1988), with two empty blocks at its end. */
export function packTar(members: readonly Member[]): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const member of members) {
    blocks.push(header(member), member.content);
    const rest = member.content.length % BLOCK;
    if (rest > 0) blocks.push(new Uint8Array(BLOCK - rest));
  }
  blocks.push(new Uint8Array(2 * BLOCK));
  return concat(blocks);
}

function header(member: Member): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const [prefix, name] = splitName(member.name);
  const put = (at: number, text: string): void => block.set(encode(text), at);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  put(0, name);
  put(100, `${octal(member.mode, 7)}\0`);
  put(108, `${octal(0, 7)}\0${octal(0, 7)}\0`);
  put(124, `${octal(member.content.length, 11)}\0`);
  put(136, `${octal(Math.floor(member.modifiedMs / 1000), 11)}\0`);
  put(148, '        ');
  put(156, member.name.endsWith('/') ? '5' : '0');
  put(257, 'ustar\u000000');
  put(265, 'root');
  put(297, 'root');
  put(345, prefix);
  put(
    148,
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  );
  return block;
}

function splitName(name: string): [prefix: string, name: string] {
  if (encode(name).length <= 100) return ['', name];
  const slash = name.indexOf('/', name.length - 101);
  if (slash < 0 || encode(name.slice(0, slash)).length > 155 || encode(name.slice(slash + 1)).length > 100)
    throw new FileError('File name too long');
  return [name.slice(0, slash), name.slice(slash + 1)];
}

/** The regular files and directories of a ustar archive. */
export function* unpackTar(archive: Uint8Array): Generator<Member> {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const block = archive.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const text = (start: number, length: number): string =>
      decode(block.subarray(start, start + length)).replace(/\0[\s\S]*$/, '');
    const number = (start: number, length: number): number =>
      Number.parseInt(text(start, length).trim() || '0', 8) || 0;
    const size = number(124, 12);
    if (at + BLOCK + size > archive.length) throw new FileError('short read');
    const prefix = text(345, 155);
    const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    const type = text(156, 1);
    if (type === '' || type === '0' || type === '5') {
      yield {
        name: type === '5' && !name.endsWith('/') ? `${name}/` : name,
        content: archive.slice(at + BLOCK, at + BLOCK + size),
        mode: number(100, 8),
        modifiedMs: number(136, 12) * 1000,
      };
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** `gzip` and `gunzip`: each file in its place, or with `-c` and for the standard input onto the output. */
function* squeeze(call: ProgramCall): Steps<number> {
  const { session, streams, argv } = call;
  const { files, limits } = session.host;
  const { options, operands } = readOptions(argv.slice(1));
  const unpacks = argv[0] === 'gunzip' || options.has('d');
  const convert = (bytes: Uint8Array): Uint8Array => {
    try {
      return unpacks ? gunzipSync(bytes, { maxOutputLength: limits.fileBytes }) : gzipSync(bytes);
    } catch {
      throw new FileError(unpacks ? 'invalid magic' : 'too large');
    }
  };
  if (operands.length === 0) streams.stdout.write(convert(yield* streams.stdin.all(limits.fileBytes)));
  for (const name of operands) {
    const path = session.path(name);
    const bytes = convert(files.read(path));
    if (options.has('c')) {
      streams.stdout.write(bytes);
      continue;
    }
    files.write(unpacks ? path.replace(/\.gz$/, '') : `${path}.gz`, bytes, { nowMs: session.nowMs() });
    if (!options.has('k')) files.remove(path, session.nowMs());
  }
  return 0;
}
