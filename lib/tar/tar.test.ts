import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { archiveOf } from '@/server/packages/package-fixture';
import { readPackageArchive } from '@/server/packages/read-archive';
import { writePackageArchive } from '@/server/packages/write-archive';
import { gunzipBytes, gzipBytes } from './gzip';
import { readTar } from './read-tar';
import { writeTar } from './write-tar';

const bytes = (text: string) => new TextEncoder().encode(text);
const FILES = { 'operator.yaml': 'name: a\n', 'params.yaml': '', 'templates/x.yaml': `text: ${'é'.repeat(600)}\n` };
const contents = Object.entries(FILES).map(([name, text]) => [name, bytes(text)] as const);
const plain = (archive: Uint8Array) => new Uint8Array(archive);

describe('the tar codec', () => {
  it('writes the bytes that `bravo package create` writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bravo-tar-'));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text, { mode: 0o644 });
    }
    const archive = await writePackageArchive(folder);
    await rm(folder, { recursive: true });
    expect(Buffer.from(writeTar(new Map(contents))).equals(gunzipSync(archive))).toBe(true);
  });

  it('writes an archive that the server reads', async () => {
    const archive = await gzipBytes(writeTar(new Map(contents)));
    expect([...(await readPackageArchive(archive))]).toEqual(Object.entries(FILES));
  });

  it('gives the same bytes for the same files', async () => {
    const [one, two] = [await gzipBytes(writeTar(new Map(contents))), await gzipBytes(writeTar(new Map(contents)))];
    expect(Buffer.from(one).equals(two)).toBe(true);
  });

  it('reads regular files with names of any length, and leaves out links and folders', async () => {
    const long = `templates/${'deep/'.repeat(40)}x.yaml`;
    const archive = await archiveOf([
      { name: './operator.yaml', text: 'a' },
      { name: 'templates/', type: 'directory' },
      { name: 'templates/link.yaml', type: 'symlink' },
      { name: long, text: 'b' },
      { name: '../../escape.yaml', text: 'c' },
    ]);
    const files = readTar(await gunzipBytes(plain(archive), 1_000_000));
    expect(files.map(({ name }) => name)).toEqual(['operator.yaml', long, 'escape.yaml']);
    expect(new TextDecoder().decode(files[1]?.content)).toBe('b');
  });

  it('refuses what is no archive, what is damaged and what is too large', async () => {
    await expect(gunzipBytes(plain(bytes('PK')), 10)).rejects.toThrow('it is not a .tgz file');
    const archive = plain(await archiveOf([{ name: 'a.yaml', text: 'x'.repeat(5_000) }]));
    await expect(gunzipBytes(archive, 1_000)).rejects.toThrow('more than 1000 bytes');
    await expect(gunzipBytes(archive.slice(0, 40), 100_000)).rejects.toThrow('damaged');
    expect(() => readTar(bytes('x'.repeat(512)))).toThrow('it is not a tar archive');
    const whole = await gunzipBytes(archive, 100_000);
    expect(() => readTar(whole.subarray(0, 1_024))).toThrow('it ends in the middle of a.yaml');
  });
});
