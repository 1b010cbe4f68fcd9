import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unpackTests } from './unpack-archive';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bravo-unpack-'));
});
afterAll(() => rm(root, { recursive: true }));

async function archive(): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'suite/case/0-a.yaml' }, 'a: b');
  tar.entry({ name: 'suite/case/run.sh', mode: 0o755 }, '#!/bin/sh');
  tar.entry({ name: '../../outside' }, 'x');
  tar.entry({ name: 'suite/link', type: 'symlink', linkname: '/etc/passwd' });
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

it('unpacks files below the folder, and names the folder of the tests', async () => {
  for (const bytes of [await archive(), gzipSync(await archive())]) {
    const tests = await unpackTests('https://example.org/x/suite.tar?v=1', bytes, root);
    expect(tests).toBe(join(root, 'suite'));
    expect(await readFile(join(tests, 'case/0-a.yaml'), 'utf8')).toBe('a: b');
    expect((await stat(join(tests, 'case/run.sh'))).mode & 0o100).toBe(0o100);
    expect(await readFile(join(root, 'outside'), 'utf8')).toBe('x');
    await expect(stat(join(tests, 'link'))).rejects.toThrow('ENOENT');
  }
});

it('refuses what is no archive', async () => {
  const bytes = Buffer.alloc(2_000, 'no archive ');
  await expect(unpackTests('https://example.org/suite.tar', bytes, root)).rejects.toThrow(
    'The archive https://example.org/suite.tar cannot be used',
  );
});
