import { TerminalError, TransientError } from '@/lib/errors/errors';

const BLOCK = 512;
/** Extended headers of the next entry: pax and GNU. */
const EXTENSIONS: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K']);
const NAMES: { readonly [type: string]: string } = { '1': 'a link', '2': 'a link', '5': 'a directory' };

/**
 * The bytes of the regular file that a tar stream begins with (POSIX ustar header: name 0–99, size in octal 124–135, type
 * 156); extended headers before it are skipped.
 * @throws TerminalError `PipeTaskError` for a directory, a link and the like (KUDO took the directory's first file and tried
 *   a link again for ever, T-26), TransientError when there is nothing or the stream ends early
 */
export function firstFileOfTar(tar: Uint8Array): Uint8Array {
  const buffer = Buffer.from(tar);
  for (let offset = 0; offset + BLOCK <= buffer.length; ) {
    const header = buffer.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = Number.parseInt(header.subarray(124, 136).toString('latin1').replace(/[\0 ]/g, ''), 8);
    if (!Number.isSafeInteger(size) || size < 0) throw unreadable();
    const type = String.fromCharCode(header[156] ?? 0);
    const start = offset + BLOCK;
    if (type === '0' || type === '\0') {
      if (start + size > buffer.length) throw unreadable();
      return buffer.subarray(start, start + size);
    }
    if (!EXTENSIONS.has(type)) {
      throw new TerminalError(`it is ${NAMES[type] ?? 'something else'} instead of a regular file`, 'PipeTaskError');
    }
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw unreadable();
}

function unreadable(): TransientError {
  return new TransientError('the copied stream holds no whole file', 'UnreadableArchive');
}
