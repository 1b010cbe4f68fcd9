import { TransientError } from '@/lib/errors/errors';

const BLOCK = 512;

/**
 * The bytes of the first regular file in a tar stream (POSIX ustar header: name 0–99, size in octal 124–135, type 156).
 * @throws TransientError when there is none or the stream ends early
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
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw unreadable();
}

function unreadable(): TransientError {
  return new TransientError('the copied stream holds no whole file', 'UnreadableArchive');
}
