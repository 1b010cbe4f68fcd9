import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { type ServedRepository, serveRepository } from '@/server/packages/serve-repository';
import { writePond } from '@/test/operators/pond-package';
import { type OciRegistry, startOciRegistry } from '@/test/programs/oci-registry';
import { runBravo } from '@/test/programs/run-bravo';

/** A repository over HTTP, and its copies in folders and registries. */
describe('repositories that are served and copied', () => {
  let folder: string;
  let served: ServedRepository;
  let first: OciRegistry;
  let second: OciRegistry;
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo(...words, '--home', path('home'));
  const get = (file: string, { method = 'GET', host = '' } = {}): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const asked = request(`${served.url}${file}`, { method, headers: host === '' ? {} : { host } }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.on('error', reject).end();
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-mirror-'));
    process.env.DOCKER_CONFIG = folder;
    process.env.COSIGN_PASSWORD = '';
    first = await startOciRegistry();
    second = await startOciRegistry({ hasReferrers: true });
    await mkdir(path('repo'));
    for (const version of ['0.1.0', '0.2.0']) {
      await writePond(path(version), version);
      await bravo('package', 'create', path(version), '-d', path('repo'), '--attest');
    }
    await bravo('package', 'keys', '--prefix', path('own'));
    await bravo('package', 'sign', path('repo', 'pond-0.2.0.tgz'), '--key', path('own.key'));
    await writeFile(path('repo', 'secret.txt'), 'secret');
    served = await serveRepository({
      folder: path('repo'),
      address: '127.0.0.1',
      port: 0,
      hosts: ['packages.example'],
      clock: systemClock,
    });
    await bravo('init', '--client-only');
  });
  afterAll(async () => {
    delete process.env.DOCKER_CONFIG;
    delete process.env.COSIGN_PASSWORD;
    await served.stop();
    await first.stop();
    await second.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are served for reading, and only what belongs to packages', async () => {
    expect((await get('/index.yaml')).text).toContain(`${served.url}/pond-0.2.0.tgz`);
    expect((await get('/index.yaml', { host: 'packages.example' })).text).toContain('http://packages.example/pond-');
    for (const [file, options, status] of [
      ['/pond-0.2.0.tgz', {}, 200],
      ['/pond-0.2.0.tgz.sig', {}, 200],
      ['/pond-0.2.0.tgz', { method: 'HEAD' }, 200],
      ['/secret.txt', {}, 404],
      ['/../repo/secret.txt', {}, 404],
      ['/%2e%2e/own.key', {}, 404],
      ['/', {}, 404],
      ['/pond-0.2.0.tgz', { method: 'PUT' }, 405],
      ['/index.yaml', { host: 'evil.example' }, 421],
    ] as const) {
      expect([file, (await get(file, options)).status]).toEqual([file, status]);
    }
    await bravo('repo', 'add', 'served', served.url);
    expect((await bravo('search', 'pond', '-a', '--repo', 'served')).out).toContain('0.1.0');
  });

  it('are copied to a folder, with what belongs to the packages, and only once', async () => {
    const mirror = (...words: string[]) => bravo('repo', 'mirror', 'served', path('copy'), ...words);
    expect((await mirror('--version', '0.2.0')).out).toBe(
      'copied     pond 0.2.0\n1 package: 1 copied, 0 up to date, 0 failed\n',
    );
    expect((await mirror()).out).toBe(
      'up to date pond 0.2.0\ncopied     pond 0.1.0\n2 packages: 1 copied, 1 up to date, 0 failed\n',
    );
    expect((await readdir(path('copy'))).sort()).toEqual([
      'index.yaml',
      'pond-0.1.0.tgz',
      'pond-0.1.0.tgz.provenance.json',
      'pond-0.1.0.tgz.sbom.json',
      'pond-0.2.0.tgz',
      'pond-0.2.0.tgz.provenance.json',
      'pond-0.2.0.tgz.sbom.json',
      'pond-0.2.0.tgz.sig',
    ]);
    await bravo('repo', 'add', 'copy', `file://${path('copy')}`, '--require-signature', '--key', path('own.pub'));
    expect((await bravo('package', 'list', 'tasks', 'pond', '--repo', 'copy')).code).toBe(0);
    // The policy of a repository is for its address too.
    const copied = await bravo('repo', 'mirror', path('copy'), path('again'));
    expect(copied.out).toContain('failed     pond 0.1.0: The package file:///');
    await bravo('repo', 'remove', 'copy');
    expect((await mirror('--operator', 'lake')).out).toBe('0 packages: 0 copied, 0 up to date, 0 failed\n');
  });

  it('come through registries and folders with the digest that was signed', async () => {
    const [a, b] = [`oci://${first.host}/a`, `oci://${second.host}/b`];
    expect((await bravo('repo', 'mirror', path('copy'), a)).out).toContain('2 packages: 2 copied');
    expect((await bravo('repo', 'mirror', path('copy'), a)).out).toContain('2 packages: 0 copied, 2 up to date');
    await bravo('package', 'sign', `${a}/pond:0.1.0`, '--key', path('own.key'));
    // A signature that was made later comes with the next copy.
    await bravo('repo', 'mirror', a, path('carried'));
    expect((await bravo('repo', 'mirror', path('carried'), b)).out).toContain('2 packages: 2 copied');
    const digests = ({ manifests, tags }: OciRegistry, name: string) =>
      ['0.1.0', '0.2.0'].map((tag) => [tags.get(`${name}:${tag}`), manifests.size > 0]);
    expect(digests(second, 'b/pond')).toEqual(digests(first, 'a/pond'));
    for (const version of ['0.1.0', '0.2.0']) {
      const verified = await bravo('package', 'verify', `${b}/pond:${version}`, '--key', path('own.pub'));
      expect([version, verified.code]).toEqual([version, 0]);
    }
    const sbom = await readFile(path('repo', 'pond-0.2.0.tgz.sbom.json'), 'utf8');
    expect([...second.blobs.values()].map(String)).toContain(sbom);
  });

  it('are copied as far as it goes when a package is refused or broken', async () => {
    await bravo('repo', 'add', 'strict', served.url, '--require-signature', '--key', path('own.pub'));
    const strict = await bravo('repo', 'mirror', 'strict', path('strict'));
    expect(strict.out).toContain('copied     pond 0.2.0\nfailed     pond 0.1.0: The package http');
    expect(strict.err).toContain('1 package could not be copied. Run the command again: it continues.');
    await mkdir(path('evil'));
    await writeFile(
      path('evil', 'index.yaml'),
      'apiVersion: v1\nentries:\n  ../../pond: [{operatorVersion: 0.2.0, urls: [../repo/pond-0.2.0.tgz]}]\n',
    );
    const evil = await bravo('repo', 'mirror', path('evil'), path('strict'));
    expect(evil.out).toContain('has no valid file name');
    expect((await bravo('repo', 'mirror', 'strict', served.url)).err).toContain('cannot be written to');
  });
});
