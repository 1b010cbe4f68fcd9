import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/limits/limits';
import { readDiagnostics } from './read-archive';

const HEAD =
  'format: 1\ninstance: one\nnamespace: lab\ncollectedAt: 2026-01-02T03:04:05Z\nversions: {bravo: 1.0.0, kubernetes: v1.36.0}\n';
const INSTANCE =
  'apiVersion: kudo.dev/v1beta1\nkind: Instance\nmetadata: {name: one}\nspec: {operatorVersion: {name: pond-1}}\n';

async function archive(files: { readonly [name: string]: string | Buffer }): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content as string);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

describe('reading an archive of diagnostics', () => {
  it('gives the Instance before its children, and logs by pod', async () => {
    const own = 'operator_pond/instance_one';
    const read = await readDiagnostics(
      'a.tgz',
      await archive({
        'operator_pond/operator_fish/instance_two/two.yaml': INSTANCE.replace('name: one', 'name: two'),
        [`${own}/one.yaml`]: INSTANCE,
        [`${own}/eventlist.yaml`]: 'items:\n- {apiVersion: v1, kind: Event, metadata: {name: e}}\n- 3\n',
        [`${own}/pod_p/main.log.gz`]: gzipSync('hello'),
        [`${own}/pod_p/other.log.err`]: 'refused',
        'archive.yaml': HEAD,
      }),
    );
    expect(read.instances.map(({ instance, events }) => [instance.metadata.name, events.length])).toEqual([
      ['one', 1],
      ['two', 0],
    ]);
    expect(read.logs).toEqual([
      { pod: 'p', container: 'main', text: 'hello', error: false },
      { pod: 'p', container: 'other', text: 'refused', error: true },
    ]);
    expect(read.head.versions).toEqual({ bravo: '1.0.0', kubernetes: 'v1.36.0' });
  });

  it('refuses other archives, a newer format, and bombs', async () => {
    const refused = async (files: { readonly [name: string]: string | Buffer }) =>
      expect(readDiagnostics('a.tgz', await archive(files))).rejects;
    await (await refused({ 'operator.yaml': 'name: x' })).toThrow('it is no archive of bravo diagnostics collect');
    await (await refused({ 'archive.yaml': HEAD.replace('1', '2') })).toThrow('or of a newer version');
    const bomb = Buffer.alloc(limits.diagnostics.bytes / 2 + 4_000_000);
    await (await refused({ a: bomb, b: bomb, 'archive.yaml': HEAD })).toThrow('it unpacks to more than');
    await expect(readDiagnostics('a.tgz', Buffer.from('text'))).rejects.toThrow('The archive a.tgz cannot be used');
  });

  it('reads a log that is a bomb as empty', async () => {
    const bomb = gzipSync(Buffer.alloc(limits.diagnostics.logBytes * 3));
    const files = { 'archive.yaml': HEAD, 'operator_o/instance_one/pod_p/c.log.gz': bomb };
    expect((await readDiagnostics('a.tgz', await archive(files))).logs[0]?.text).toBe('');
  });
});
