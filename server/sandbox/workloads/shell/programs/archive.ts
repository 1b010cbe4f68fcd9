import { gunzipSync, gzipSync } from 'node:zlib';
import { limits } from '@/lib/limits/limits';
import { FileError } from '../language/file-tree';
import { decode, encode } from '../language/io';
import type { MountedFiles } from '../language/mounted-files';
import type { Steps } from '../language/process';
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

/** `tar` with c, x and t, as `kubectl cp` and pipe pods call it, and `gzip`. */
export const archivePrograms: { readonly [name: string]: ShellProgram } = {
  *tar(call) {
    const [name = '', first = '', ...rest] = call.argv;
    const { options, operands } = readOptions([name, first.startsWith('-') ? first : `-${first}`, ...rest], 'fC');
    const file = options.get('f') ?? '-';
    const folder = options.get('C') ?? '.';
    if (options.has('c')) pack(call, operands, { file, folder });
    else if (options.has('x') || options.has('t')) {
      const archive = file === '-' ? yield* call.streams.stdin.all() : call.session.read(file);
      unpack(call, archive, options.has('t') ? undefined : folder);
    } else throw new FileError('you must specify one of: c x t');
    return 0;
  },
  gzip: squeeze,
  gunzip: squeeze,
};

function pack(
  { session, streams }: ProgramCall,
  names: readonly string[],
  { file, folder }: { readonly file: string; readonly folder: string },
): void {
  const members = names.flatMap((name) => {
    const path = session.path(name.startsWith('/') ? name : `${folder}/${name}`);
    if (session.node(path) === undefined) throw new FileError(`${name}: No such file or directory`);
    return [...membersIn(session.host.files, path, name.replace(/^\/+|\/+$/g, ''))];
  });
  if (file === '-') streams.stdout.write(packTar(members));
  else session.write(file, packTar(members));
}

/** Writes the members below a folder, or their names to the output when there is no folder. */
function unpack({ session, streams }: ProgramCall, archive: Uint8Array, folder: string | undefined): void {
  const { files } = session.host;
  for (const { name, content, mode } of unpackTar(archive)) {
    if (folder === undefined) {
      streams.stdout.write(encode(`${name}\n`));
      continue;
    }
    // Names are resolved inside the folder: `..` cannot leave it.
    const path = `${session.path(folder)}${session.path(`/${name}`)}`;
    files.makeDirectories(name.endsWith('/') ? path : path.slice(0, path.lastIndexOf('/')));
    if (!name.endsWith('/')) files.write(path, content, mode);
  }
}

/** A file, or a directory and what is in it, as members of an archive under this name. */
export function* membersIn(files: MountedFiles, path: string, name: string): Generator<Member> {
  for (const [each, node] of files.walk(path)) {
    const { modifiedMs } = node;
    const inside = `${name}/${each.slice(path.length)}`.replace(/\/+/g, '/').replace(/^\/|\/$/g, '');
    if (node.kind === 'file') yield { name: inside, content: node.content, mode: node.mode, modifiedMs };
    else if (inside !== '') yield { name: `${inside}/`, content: new Uint8Array(0), mode: 0o755, modifiedMs };
  }
}

/** An archive in the ustar format (POSIX.1-1988), with two empty blocks at its end. */
export function packTar(members: readonly Member[]): Uint8Array {
  const blocks = members.flatMap((member) => [
    header(member),
    member.content,
    new Uint8Array((BLOCK - (member.content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]);
}

function header({ name, content, mode, modifiedMs }: Member): Uint8Array {
  if (encode(name).length > 100) throw new FileError('File name too long');
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string): void => block.set(encode(text), at);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  put(0, name);
  put(100, octal(mode, 7));
  put(108, octal(0, 7) + octal(0, 7));
  put(124, octal(content.length, 11));
  put(136, octal(Math.floor(modifiedMs / 1000), 11));
  put(148, '        ');
  put(156, name.endsWith('/') ? '5' : '0');
  put(257, 'ustar\u000000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, octal(sum, 6));
  return block;
}

/** The regular files and directories of a ustar archive. */
export function* unpackTar(archive: Uint8Array): Generator<Member> {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const block = archive.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const text = (start: number, length: number): string =>
      decode(block.subarray(start, start + length)).replace(/\0[\s\S]*$/, '');
    const number = (start: number, length: number): number => Number.parseInt(text(start, length), 8) || 0;
    const size = number(124, 12);
    const content = new Uint8Array(archive.subarray(at + BLOCK, at + BLOCK + size));
    if (content.length < size) throw new FileError('short read');
    const name = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/');
    const type = text(156, 1);
    const member = { content, mode: number(100, 8), modifiedMs: number(136, 12) * 1000 };
    if (type === '5') yield { ...member, name: name.endsWith('/') ? name : `${name}/` };
    else if (type === '' || type === '0') yield { ...member, name };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** `gzip` and `gunzip`: each file in its place, or with `-c` and for the standard input onto the output. */
function* squeeze({ session, streams, argv }: ProgramCall): Steps<number> {
  const { options, operands } = readOptions(argv);
  const unpacks = argv[0] === 'gunzip' || options.has('d');
  const convert = (bytes: Uint8Array): Uint8Array => {
    try {
      return unpacks ? gunzipSync(bytes, { maxOutputLength: limits.shellFileBytes }) : gzipSync(bytes);
    } catch {
      throw new FileError(unpacks ? 'invalid magic' : 'too large');
    }
  };
  if (operands.length === 0) streams.stdout.write(convert(yield* streams.stdin.all()));
  for (const name of operands) {
    const bytes = convert(session.read(name));
    if (options.has('c')) streams.stdout.write(bytes);
    else {
      session.write(unpacks ? name.replace(/\.gz$/, '') : `${name}.gz`, bytes);
      if (!options.has('k')) session.host.files.remove(session.path(name));
    }
  }
  return 0;
}
