import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOciReference } from '@/lib/oci/reference';
import { loadArchive } from '@/server/packages/loaded-package';
import { pushPackage } from '@/server/packages/oci/push-package';
import { archiveOf, OPERATOR, PARAMS } from '@/server/packages/package-fixture';
import { writePond } from '@/test/operators/pond-package';
import { type OciRegistry, startOciRegistry } from '@/test/programs/oci-registry';
import { runBravo } from '@/test/programs/run-bravo';
import { openRegistry } from './support/packages';

/** From a folder to a registry and back, with `docker login`'s credentials and signatures. */
describe('publishing packages', () => {
  let folder: string;
  let registry: OciRegistry;
  let base: string;
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo(...words, '--home', path('home'));
  const user = { name: 'anna', password: 'hidden', by: 'token' } as const;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-publish-'));
    registry = await startOciRegistry({ user });
    base = `oci://${registry.host}/lab`;
    process.env.DOCKER_CONFIG = folder;
    process.env.COSIGN_PASSWORD = 'of the key';
    const auth = Buffer.from(`${user.name}:${user.password}`).toString('base64');
    await writeFile(path('config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
    await writePond(path('pond'), '0.2.0');
    await writePond(path('pond-3'), '0.3.0');
    await bravo('init', '--client-only');
    for (const name of ['own', 'other']) await bravo('package', 'keys', '--prefix', path(name));
  });
  afterAll(async () => {
    delete process.env.DOCKER_CONFIG;
    delete process.env.COSIGN_PASSWORD;
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('makes keys once, the private one for its owner only', async () => {
    expect(await readFile(path('own.pub'), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect((await bravo('package', 'keys', '--prefix', path('own'))).err).toContain('own.key" already exists');
  });

  it('pushes a folder under the tag of its versions, and says its digest', async () => {
    const pushed = await bravo('push', path('pond'), `${base}/pond`);
    expect(pushed).toEqual({
      out: expect.stringMatching(
        new RegExp(`^${base}/pond:0\\.2\\.0 pushed\ndigest: sha256:[0-9a-f]{64}\n$`.replaceAll('/', '\\/')),
      ),
      err: '',
      code: 0,
    });
    expect((await bravo('push', path('pond'), `${base}/pond`)).out).toContain('is in the registry already');
    expect((await bravo('package', 'push', path('pond'), base)).err).toContain(
      `The path of the reference must end with the name of the package, pond: ${base}/pond`,
    );
    expect((await bravo('push', path('pond'))).err).toContain('expecting exactly two arguments');
    expect((await bravo('push', path('pond'), 'https://r/pond')).err).toContain(
      'expecting a reference to an OCI registry',
    );
  });

  it('describes where a package comes from, and what it consists of, in the same words each time', async () => {
    const created = await bravo('package', 'create', path('pond'), '-d', path(), '--attest', '-w');
    expect(created.code).toBe(0);
    const file = path('pond-0.2.0.tgz');
    const provenance = await readFile(`${file}.provenance.json`, 'utf8');
    const sbom = await readFile(`${file}.sbom.json`, 'utf8');
    expect(JSON.parse(provenance)).toMatchObject({
      subject: [{ name: 'pond-0.2.0.tgz', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      predicate: { buildDefinition: { resolvedDependencies: [{ digest: { dirHash: expect.any(String) } }] } },
    });
    expect(JSON.parse(sbom)).toMatchObject({ spdxVersion: 'SPDX-2.3', name: 'pond-0.2.0.tgz' });
    const attached = [...registry.blobs.values()].map((bytes) => bytes.toString());
    expect(attached).toContain(provenance);
    expect(attached).toContain(sbom);
    await rm(file);
  });

  it('pulls, verifies, lists and renders what a reference names', async () => {
    await bravo('push', path('pond-3'), `${base}/pond`);
    const pulled = await bravo('pull', `${base}/pond:0.2.0`, '-d', path('pulled'));
    expect(pulled.out).toContain(
      `Package pulled: ${path('pulled', 'pond-0.2.0.tgz')}\nfrom ${base}/pond:0.2.0@sha256:`,
    );
    expect((await bravo('pull', `${base}/pond:0.2.0`, '-d', path('pulled'))).err).toContain('already exists');
    expect((await bravo('package', 'verify', `${base}/pond:0.2.0`)).out).toContain('package is valid');
    expect((await bravo('package', 'list', 'plans', `${base}/pond`)).code).toBe(0);
    expect((await bravo('template', `${base}/pond`, '--operator-version', '0.2.0')).code).toBe(0);
    expect((await bravo('template', `${base}/pond:9.9.9`)).err).toContain('The registry does not have');
  });

  it('writes no file outside of the folder, whatever a package calls itself', async () => {
    const archive = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('../../evil') },
      { name: PARAMS.name, text: PARAMS.text },
    ]);
    const client = openRegistry();
    await pushPackage(client, parseOciReference(`${base}/evil:1`), {
      loaded: await loadArchive(archive, 'evil'),
      archive,
    });
    expect((await bravo('pull', `${base}/evil:1`, '-d', path('pulled'))).err).toContain(
      'has no valid name and versions',
    );
  });

  it('adds a registry as a repository, and searches it', async () => {
    expect((await bravo('repo', 'add', 'oci', base)).out).toBe('"oci" has been added to your repositories\n');
    expect((await bravo('search', 'po', '-a', '--repo', 'oci')).out).toContain('0.2.0');
    expect((await bravo('package', 'list', 'tasks', 'pond', '--repo', 'oci')).code).toBe(0);
    expect((await bravo('repo', 'add', 'bad', 'oci://anna:hidden@r/lab')).err).not.toContain('hidden@r is');
  });

  it('signs in the registry, and refuses what the key of the repository did not sign', async () => {
    expect((await bravo('package', 'sign', `${base}/pond:0.2.0`, '--key', path('other.key'))).out).toContain(
      'signed (key',
    );
    await bravo('push', path('pond-3'), `${base}/pond`, '--sign-key', path('own.key'));
    const words = ['repo', 'add', 'strict', base, '--require-signature'];
    expect((await bravo(...words)).err).toContain('--require-signature needs the public keys');
    expect((await bravo(...words, '--key', path('own.key'))).err).toContain('it is a private key');
    expect((await bravo(...words, '--key', path('own.pub'))).code).toBe(0);
    const tasks = (version: string) =>
      bravo('package', 'list', 'tasks', 'pond', '--repo', 'strict', '--operator-version', version);
    expect((await tasks('0.3.0')).code).toBe(0);
    expect((await tasks('0.2.0')).err).toContain('another key signed it');
    // The same address without the name of the repository has the same policy.
    await bravo('repo', 'remove', 'oci');
    expect((await bravo('template', `${base}/pond:0.2.0`)).err).toContain('another key signed it');
    expect((await bravo('pull', `${base}/pond:0.2.0`, '-d', path('strict'))).err).toContain('another key signed it');
    const verified = await bravo('package', 'verify', `${base}/pond:0.3.0`, '--key', path('own.pub'));
    expect(verified.out).toMatch(/^signed by key [0-9a-f]{64}\n[\s\S]*package is valid\n$/);
  });

  it('puts versions into channels, and withdraws them, without another digest', async () => {
    const { out } = await bravo('push', path('pond-3'), `${base}/side/pond`, '--channel', 'candidate');
    expect((await bravo('package', 'release', `${base}/side/pond:0.3.0`, '--channel', 'stable')).out).toBe(
      `${base}/side/pond:0.3.0 changed: {"channels":["stable"]}\n`,
    );
    const file = path('releases.yaml');
    await writeFile(file, 'entries: {pond: [{operatorVersion: 0.3.0, withdrawn: {reason: loses data}}]}\n');
    const all = (...words: string[]) =>
      bravo('package', 'release', `${base}/side`, '--operator', 'pond', '--releases', file, ...words);
    expect((await all()).out).toBe(
      `${base}/side/pond:0.3.0 changed: {"channels":["stable"],"withdrawn":{"reason":"loses data"}}\n`,
    );
    expect((await all()).out).toContain('pond:0.3.0 unchanged: ');
    expect((await all('--channel', 'x')).err).toContain("specify either 'releases', or 'channel' and 'withdraw'");
    // Pushed again, it is still withdrawn, and has the same digest.
    const again = await bravo('push', path('pond-3'), `${base}/side/pond`, '--channel', 'beta');
    expect(again.out.split('\n')[1]).toBe(out.split('\n')[1]);
    expect((await bravo('package', 'release', `${base}/side/pond:0.3.0`)).out).toContain('"withdrawn"');
    await writeFile(file, 'entries: {pond: [{operatorVersion: 9.9.9}]}\n');
    expect((await all()).err).toContain(`${file}:1: no archive is pond 9.9.9`);
    expect((await bravo('package', 'release', `${base}/side/pond:0.3.0`, '--channel', 'A')).err).toContain(
      '--channel must',
    );
  });

  it('pushes an archive with the files beside it', async () => {
    await bravo('package', 'create', path('pond'), '-d', path(), '--attest');
    const file = path('pond-0.2.0.tgz');
    await bravo('package', 'sign', file, '--key', path('own.key'));
    await writeFile(`${file}.provenance.json`, '{"from": "the build server"}\n');
    expect((await bravo('push', file, `${base}/pond:from-file`)).code).toBe(0);
    expect((await bravo('package', 'verify', `${base}/pond:from-file`, '--key', path('own.pub'))).code).toBe(0);
    expect([...registry.blobs.values()].map(String)).toContain('{"from": "the build server"}\n');
    for (const suffix of ['', '.sig', '.provenance.json', '.sbom.json']) await rm(`${file}${suffix}`);
  });

  it('signs a file beside an archive, and refuses it when one byte is another', async () => {
    await bravo('package', 'create', path('pond'), '-d', path());
    const file = path('pond-0.2.0.tgz');
    expect((await bravo('package', 'sign', file, '--key', path('own.key'))).out).toContain(`${file}.sig (key`);
    expect((await bravo('package', 'verify', file, '--key', path('own.pub'))).code).toBe(0);
    expect((await bravo('package', 'verify', file, '--key', path('other.pub'))).err).toContain('another key signed it');
    const index = await bravo('repo', 'index', folder, '--url', `file://${folder}`);
    expect(index.err).toBe('');
    await bravo('repo', 'add', 'files', `file://${folder}`, '--require-signature', '--key', path('own.pub'));
    const tasks = () => bravo('package', 'list', 'tasks', 'pond', '--repo', 'files');
    expect((await tasks()).code).toBe(0);
    const bytes = await readFile(file);
    bytes[9] = bytes[9] === 3 ? 255 : 3;
    await writeFile(file, bytes);
    expect((await tasks()).err).toContain('its SHA-256 differs');
    await bravo('repo', 'index', folder, '--url', `file://${folder}`, '--overwrite');
    expect((await tasks()).err).toContain('another key signed it, or the package was changed after it was signed');
    await rm(`${file}.sig`);
    expect((await tasks()).err).toContain('it is not signed, and repository files requires a signature by key');
  });
});
