import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePond } from '@/test/operators/pond-package';
import { runBravo } from '@/test/programs/run-bravo';

/** Packages at addresses and in repositories, over a server that counts and misbehaves on demand. */
describe('repositories of packages', () => {
  let folder: string;
  let server: Server;
  let base: string;
  const files = new Map<string, Buffer | { status: number; location?: string }>();
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo(...words, '--home', path('home'));
  const tasks = (...words: string[]) => bravo('package', 'list', 'tasks', ...words);
  const serveRepository = async (index?: string) => {
    const name = 'pond-0.2.0.tgz';
    files.set(`/r/${name}`, await readFile(path('repo', name)));
    files.set('/r/index.yaml', Buffer.from(index ?? (await readFile(path('repo', 'index.yaml'), 'utf8'))));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-repo-'));
    server = createServer((request, response) => {
      const found = files.get(request.url ?? '');
      if (found === undefined) response.writeHead(404).end();
      else if (Buffer.isBuffer(found)) response.writeHead(200).end(found);
      else response.writeHead(found.status, found.location === undefined ? {} : { location: found.location }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    await writePond(path('pond'), '0.2.0');
    await mkdir(path('repo'));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('CLI-059 CLI-060 CLI-061 CLI-069 PKG-121 PKG-122 the verbs need the file that init writes', async () => {
    expect((await bravo('repo', 'add', 'lab')).err).toContain(
      'this command needs 2. name and url of the operator repository',
    );
    expect((await bravo('repo', 'add', 'lab', base)).err).toBe(
      `Error: could not load repositories file (${path('home', 'repository', 'repositories.yaml')}).\nYou might need to run \`kudo init\` (or \`kudo init --client-only\` if kudo is already installed)\n`,
    );
    expect(await bravo('init', '--client-only')).toEqual({
      out: `$KUDO_HOME has been configured at ${path('home')}\n`,
      err: '',
      code: 0,
    });
    expect(await readFile(path('home', 'repository', 'repositories.yaml'), 'utf8')).toBe(
      'context: community\nrepoVersion: v1\nrepositories:\n- name: community\n  url: https://kudo-repository.storage.googleapis.com/v1\n',
    );
    expect((await bravo('repo', 'list')).out).toMatch(/^NAME {6}\tURL {40,}\n\*community\thttps:\/\/kudo-repo\S+\n$/);
  });

  it('CLI-064 PKG-114 PKG-116 PKG-117 writes the index of a folder of archives', async () => {
    for (const [words, message] of [
      [[], 'expecting exactly one argument - directory containing the operators to package'],
      [[path('repo'), '--merge', 'a', '--merge-repo', 'b'], "specify either 'merge' or 'merge-repo', not both"],
      [[path('repo'), '--url', 'a', '--url-repo', 'b'], "specify either 'url' or 'url-repo', not both"],
      [[path('repo'), '--merge-repo', 'b'], 'configuration for repositories does not contain b'],
      [[path('repo')], 'no packages discovered'],
    ] as const) {
      expect((await bravo('repo', 'index', ...words)).err).toContain(message);
    }
    await bravo('package', 'create', path('pond'), '-d', path('repo'));
    await writeFile(path('repo', 'bad.tgz'), 'no archive');
    const made = await bravo('repo', 'index', path('repo'), '--url', `${base}/r`);
    expect(made.out).toBe(
      `WARNING: operator: ${path('repo', 'bad.tgz')} is invalid\nindex ${path('repo', 'index.yaml')} created.\n`,
    );
    const text = await readFile(path('repo', 'index.yaml'), 'utf8');
    expect(text).toContain(`    urls:\n    - ${base}/r/pond-0.2.0.tgz\n`);
    expect(text).toMatch(/digest: [0-9a-f]{64}\n/);
    expect((await bravo('repo', 'index', path('repo'))).err).toContain('index.yaml" already exists');
  });

  it('CLI-057 CLI-058 CLI-063 adds a repository after a check, and selects it', async () => {
    expect((await bravo('repo', 'add', 'community', base)).err).toContain(
      'repository name (community) already exists, please specify a different name',
    );
    expect((await bravo('repo', 'add', 'lab', 'badurl')).err).toContain('looks like "badurl" is not a valid');
    expect((await bravo('repo', 'add', 'lab', `${base}/none`)).err).toContain('status 404');
    await serveRepository();
    expect((await bravo('repo', 'add', 'lab', `${base}/r/`)).out).toBe('"lab" has been added to your repositories\n');
    expect((await bravo('repo', 'context')).err).toContain('need at least one argument, name of operator repository');
    expect((await bravo('repo', 'context', 'none')).err).toContain('no repo named "none" found');
    expect(await bravo('repo', 'context', 'lab')).toEqual({ out: '', err: '', code: 0 });
    expect((await bravo('repo', 'list')).out).toContain('\n*lab');
  });

  it('CLI-065 CLI-066 CLI-067 searches repositories', async () => {
    expect((await bravo('search')).err).toContain('this command must have only 1 search criterion');
    expect((await bravo('search', 'nothing')).out).toBe('no operators found\n');
    await serveRepository(`apiVersion: v1
entries:
  mysql: [{operatorVersion: 0.2.0, appVersion: "5.8"}, {operatorVersion: 0.1.0, appVersion: "5.7"}]
  redis: [{operatorVersion: 1.0.0}]
`);
    expect((await bravo('search', 'mysql')).out).toBe(
      'Name \tOperator Version\tApp Version\nmysql\t0.2.0           \t5.8        \n',
    );
    expect((await bravo('search', '')).out.split('\n')).toHaveLength(4);
    expect((await bravo('search', 'mysql', '-a')).out).toContain('\n     \t0.1.0           \t5.7');
    expect((await bravo('search', 'x', '--repo', 'none')).err).toContain('unable to find repository for none');
    await serveRepository();
  });

  it('finds packages by name, first in the repository, then among those of Bravo', async () => {
    expect((await tasks('pond')).out).toContain('Name');
    expect((await tasks('pond', '--repo', 'lab', '--operator-version', '9.9.9')).err).toContain(
      'no operator version found for pond-9.9.9',
    );
    expect((await tasks('hello')).code).toBe(0);
    expect((await tasks('hello', '--repo', 'lab')).err).toContain('no operator found for: hello');
    const unknown = await tasks('x', '--repo', 'none');
    expect(unknown.err).toContain('could not build operator repository: unable to find repository for none');
  });

  it('PKG-123 without a list of repositories KUDO’s community repository is used', async () => {
    const asked: (string | undefined)[] = [];
    server.on('connect', (request, socket) => {
      asked.push(request.url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n');
    });
    process.env.https_proxy = base;
    try {
      const { err, code } = await runBravo('package', 'list', 'tasks', 'nosuch', '--home', path('no-home'));
      expect([code, err]).toEqual([255, expect.stringContaining('no operator found for: nosuch')]);
    } finally {
      delete process.env.https_proxy;
    }
    expect(new Set(asked)).toEqual(new Set(['kudo-repository.storage.googleapis.com:443']));
  });

  it('PKG-119 PKG-120 (differs) uses the first address that returns the archive with the digest', async () => {
    files.set('/r/broken', { status: 500 });
    files.set('/r/other', Buffer.from('something else'));
    const index = await readFile(path('repo', 'index.yaml'), 'utf8');
    const withFirst = (url: string) => index.replace('    urls:\n', `    urls:\n    - ${url}\n`);
    await serveRepository(withFirst(`${base}/r/broken`));
    expect((await tasks('pond', '--repo', 'lab')).code).toBe(0);
    await serveRepository(index.replace(/digest: .*/, `digest: ${'0'.repeat(64)}`));
    expect((await tasks('pond', '--repo', 'lab')).err).toContain('its SHA-256 differs');
    await serveRepository(withFirst(pathToFileURL('/etc/passwd').href).replace(/- http.*\n/, ''));
    expect((await tasks('pond', '--repo', 'lab')).err).toContain('which is not valid for it');
    await serveRepository();
  });

  it('a repository of files names the file that is missing', async () => {
    const lab = pathToFileURL(path('repo')).href;
    expect((await bravo('repo', 'add', 'files', lab)).code).toBe(0);
    const { err } = await bravo('repo', 'add', 'gone', `${lab}-gone`);
    expect(err).toContain(`failed to read ${path('repo-gone', 'index.yaml')}`);
  });

  it('PKG-099 installs a package from an address; redirects are limited, and not to http', async () => {
    files.set('/moved', { status: 302, location: '/r/pond-0.2.0.tgz' });
    files.set('/round', { status: 302, location: '/round' });
    files.set('/file', { status: 302, location: 'file:///etc/passwd' });
    expect((await tasks(`${base}/moved`)).code).toBe(0);
    for (const [url, why] of [
      [`${base}/round`, 'more than 5 redirects'],
      [`${base}/file`, 'only http and https are supported'],
      [`${base}/none.tgz`, 'status 404'],
      [`${base}/r/index.yaml`, 'gzip: invalid header'],
      ['http://127.0.0.1:1/x.tgz', 'ECONNREFUSED'],
      ['zookeeper:1.0', 'packages are fetched from http, https and oci addresses'],
    ] as const) {
      const { err, code } = await tasks(url);
      expect(code).toBe(255);
      expect(err).toContain(`resolver: unable to get reader from url ${url}`);
      expect(err).toContain(why);
    }
  });

  it('CLI-062 removes repositories', async () => {
    expect((await bravo('repo', 'remove')).err).toContain('need at least one argument, name of operator repository');
    expect((await bravo('repo', 'rm', 'none')).err).toContain('no repo named "none" found');
    const removed = await bravo('repo', 'rm', 'lab');
    expect(removed.out).toBe('"lab" has been removed from your repositories\n');
    expect(removed.err).toContain('"lab" was the current repository. Select another one: bravo repo context community');
  });
});
