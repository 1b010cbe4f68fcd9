import { TerminalError } from '@/lib/errors/errors';
import { relativeName } from './relative-name';
import { checksumOf, padded } from './write-tar';

const BLOCK = 512;

/** One regular file of an archive. */
export interface UnpackedFile {
  /** The path below the archive's root. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * The regular files of a tar archive, in their order: POSIX ustar, long names of pax (`path`) and of GNU (`L`). Folders, links, devices
 * and other entries are left out.
 *
 * @throws TerminalError for what is no tar archive, and for one that ends too early
 */
export function readTar(archive: Uint8Array): UnpackedFile[] {
  const files: UnpackedFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const entry = readHeader(header);
    const content = archive.subarray(at + BLOCK, at + BLOCK + entry.size);
    if (content.length < entry.size) throw refused(`it ends in the middle of ${entry.name}`);
    at += BLOCK + padded(entry.size);
    if (entry.type === 'L') longName = textOf(content);
    else if (entry.type === 'x') longName = paxPath(content) ?? longName;
    else {
      if (entry.type === '0' || entry.type === '\0' || entry.type === '') {
        files.push({ name: relativeName(longName ?? entry.name), content });
      }
      longName = undefined;
    }
  }
  return files;
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

function readHeader(header: Uint8Array): Header {
  const field = (at: number, length: number) => textOf(header.subarray(at, at + length));
  const number = (at: number, length: number) => Number.parseInt(field(at, length).trim() || '0', 8);
  const size = number(124, 12);
  if (number(148, 8) !== checksumOf(header) || !Number.isSafeInteger(size) || size < 0) {
    throw refused('it is not a tar archive');
  }
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
  const name = field(0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: field(156, 1) };
}

/** `path` of an extended header: lines `LENGTH KEY=VALUE`. */
function paxPath(content: Uint8Array): string | undefined {
  return /^\d+ path=(.*)$/m.exec(new TextDecoder().decode(content))?.[1];
}

/** Up to the first NUL. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
}

function refused(why: string): TerminalError {
  return new TerminalError(`The archive cannot be read: ${why}.`, 'PackageInvalid');
}
