import { TerminalError } from '@/lib/errors/errors';

const BLOCK = 512;
const NAME_BYTES = 100;

/**
 * A tar archive (POSIX ustar) of regular files, in the order of the map. Modes, times and owners are fixed, so that the same files
 * give the same bytes: those that `bravo package create` writes for files of the mode 0644 (a test compares them).
 *
 * @throws TerminalError for a name that is longer than 100 bytes
 */
export function writeTar(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const sizes = [...files.values()].map(({ length }) => BLOCK + padded(length));
  const archive = new Uint8Array(sizes.reduce((sum, size) => sum + size, 2 * BLOCK));
  let at = 0;
  for (const [name, content] of files) {
    archive.set(headerOf(name, content.length), at);
    archive.set(content, at + BLOCK);
    at += BLOCK + padded(content.length);
  }
  return archive;
}

/** A size as whole blocks. */
export function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function headerOf(name: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  if (new TextEncoder().encode(name).length > NAME_BYTES) {
    throw new TerminalError(`The name of file ${name} is longer than ${NAME_BYTES} bytes.`, 'PackageInvalid');
  }
  write(name, 0);
  write('000644 \0', 100);
  write('000000 \0', 108);
  write('000000 \0', 116);
  write(`${octal(size, 11)} `, 124);
  write(`${octal(0, 11)} `, 136);
  write('        ', 148);
  write('0', 156);
  write('ustar\x0000', 257);
  write('root', 265);
  write('root', 297);
  write('000000 \0', 329);
  write('000000 \0', 337);
  write(`${octal(checksumOf(header), 6)} \0`, 148);
  return header;
}

/** The sum of a header's bytes, in which those of the checksum itself are spaces. */
export function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
