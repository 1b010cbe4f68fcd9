import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToIndex, formatIndex } from '@/lib/kudo/repository/build-index';
import { limits } from '@/lib/limits/limits';
import { archiveOf, OPERATOR, PARAMS } from '@/server/packages/package-fixture';
import { signBytes } from '@/server/packages/signing/check-signatures';
import { generateKeyPair, readPrivateKey } from '@/server/packages/signing/keys';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { stopAll } from '@/test/programs/process';
import { ask, type RawAnswer } from './raw-request';

/** What somebody may try with the repositories of a console: one that people sign in to, and one of a single person. */
let shared: ConsoleProcess;
let own: ConsoleProcess;
let server: Server;
let url = '';
const cookies: { [user: string]: string } = {};
const files = new Map<string, Uint8Array | string>();
/** What arrived at the server of the packages: `METHOD URL authorization`. */
const seen: string[] = [];
const CANARY = 'canary-of-repositories';

const headersOf = (base: string) => ({
  origin: base,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
});
const draft = (more: object = {}) => ({
  ...{ name: 'lab', url, signatureKeys: '', operators: '', username: '', password: '' },
  ...more,
});
function send(console_: ConsoleProcess, method: string, path: string, body?: object, user = ''): Promise<RawAnswer> {
  const headers = { ...headersOf(console_.base), cookie: cookies[user] ?? '' };
  return ask(console_.base, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200).end(file ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  [shared, own] = await Promise.all([
    startConsoleProcess({ BRAVO_AUTH: 'token', BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info' }),
    startConsoleProcess({ BRAVO_CONTROLLER: 'off', BRAVO_LOG: 'info' }),
  ]);
  for (const user of ['admin', 'dev']) {
    const token = readFileSync(join(shared.settings.BRAVO_DATA ?? '', 'users', `${user}.token`), 'utf8').trim();
    const answer = await send(shared, 'POST', '/api/auth/token', { token, to: '/' });
    const lines = [answer.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
    cookies[user] = lines.map((line) => line.split(';', 1)[0]).join('; ');
  }
});
afterAll(async () => {
  await stopAll();
  server?.close();
});

describe('a person who may not write ConfigMaps of the console', () => {
  it.each([
    ['POST', '/api/repositories', 'add'],
    ['POST', '/api/repositories/test', 'add'],
    ['PUT', '/api/repositories/lab', 'change'],
    ['DELETE', '/api/repositories/lab', 'remove'],
  ])('is refused %s %s with the right that is missing, and the server connects nowhere', async (method, path, word) => {
    const before = seen.length;
    const answer = await send(shared, method, path, method === 'DELETE' ? undefined : draft(), 'dev');
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).message).toMatch(
      new RegExp(`^You may not ${word} repositories: that takes the right to [a-z]+ configmaps in namespace `),
    );
    expect(seen.length).toBe(before);
  });

  it('sees what is listed, and uses no password that they may not read', async () => {
    const { namespace } = JSON.parse((await send(shared, 'GET', '/api/repositories', undefined, 'admin')).text);
    const labels = { 'bravo.kudo.dev/repository': 'lab' };
    const metadata = { name: 'bravo-repository-lab', namespace, labels };
    const path = `/api/kube/api/v1/namespaces/${namespace}`;
    const data = { url: 'https://r.invalid', credentials: 'true' };
    const stringData = { username: 'anna', password: CANARY, server: 'https://r.invalid' };
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData };
    expect((await send(shared, 'POST', `${path}/configmaps`, config, 'admin')).status).toBe(201);
    expect((await send(shared, 'POST', `${path}/secrets`, secret, 'admin')).status).toBe(201);
    const listed = await send(shared, 'GET', '/api/repositories', undefined, 'dev');
    expect(JSON.parse(listed.text).repositories).toMatchObject([{ name: 'lab', hasCredentials: true }]);
    const index = await send(shared, 'GET', '/api/repositories/lab/index', undefined, 'dev');
    const added = await send(shared, 'POST', '/api/repositories/lab/add', { name: 'pond' }, 'dev');
    expect([index.status, added.status]).toEqual([403, 403]);
    for (const { text } of [listed, index, added]) expect(text).not.toContain(CANARY);
  });

  it('needs a session, and another site has none', async () => {
    expect((await send(shared, 'GET', '/api/repositories')).status).toBe(401);
    const headers = { ...headersOf('http://evil.test'), cookie: cookies.admin ?? '' };
    const forged = await ask(shared.base, { method: 'POST', path: '/api/repositories', headers, body: '{}' });
    expect(forged.status).toBe(403);
  });
});

describe('an address inside', () => {
  it.each([
    ['http://127.0.0.1:1', 'this machine'],
    ['oci://127.0.0.1:1/lab', 'this machine'],
    ['http://2130706433:1', 'this machine'],
    ['http://169.254.169.254', 'link-local'],
    ['oci://169.254.169.254/lab', 'link-local'],
    ['http://[::ffff:169.254.169.254]', 'link-local'],
  ])('%s is refused where people sign in', async (address, why) => {
    const answer = await send(shared, 'POST', '/api/repositories', draft({ url: address, operators: 'pond' }), 'admin');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(why);
  });

  it.each(['file:///etc', 'ftp://r.example', 'http://anna:hidden@r.example', 'oci://anna:hidden@r.example/lab'])(
    '%s is no repository',
    async (address) => {
      const answer = await send(own, 'POST', '/api/repositories', draft({ url: address }));
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.text).causes[0].field).toBe('url');
    },
  );
});

describe('a repository with keys and a password', () => {
  it('gives no version of which a byte was changed, and its password to nobody', async () => {
    const pair = await generateKeyPair('');
    const key = await readPrivateKey(pair.privateKey, 'key', async () => '');
    const archive = await archiveOf([{ name: 'operator.yaml', text: OPERATOR('pond', '1.0.0') }, PARAMS]);
    const entry = { name: 'pond', operatorVersion: '1.0.0', appVersion: '', maintainers: [], removed: false };
    const listed = { ...entry, urls: ['pond.tgz'], digest: '' };
    files.set('/index.yaml', formatIndex(addToIndex({ entries: new Map() }, [listed]).index, '2026-11-29T00:00:00Z'));
    files.set('/pond.tgz', archive);
    files.set('/pond.tgz.sig', signBytes(key, archive));
    const secret = { signatureKeys: pair.publicKey, username: 'anna', password: CANARY };
    const answers = [await send(own, 'POST', '/api/repositories', draft(secret))];
    expect([answers[0]?.status, answers[0]?.text]).toEqual([201, expect.stringContaining('is signed by key')]);
    const add = { name: 'pond', operatorVersion: '1.0.0', appVersion: '' };
    // The operating system in the header of gzip: it unpacks as before.
    const altered = Uint8Array.from(archive);
    altered[9] = (altered[9] ?? 0) ^ 1;
    files.set('/pond.tgz', altered);
    const refused = await send(own, 'POST', '/api/repositories/lab/add', add);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain('pond.tgz is refused: its signature is not by key');
    files.set('/pond.tgz', archive);
    answers.push(refused, await send(own, 'POST', '/api/repositories/lab/add', add));
    expect(answers.at(-1)?.status).toBe(201);
    const evidence = '/api/repositories/lab/evidence?name=pond&operatorVersion=1.0.0&appVersion=';
    for (const path of ['/api/repositories', '/api/repositories/lab/index', evidence, '/repositories', '/install']) {
      answers.push(await send(own, 'GET', path));
    }
    // The password stays where it was given, also when the address is changed.
    const other = draft({ ...secret, password: '', username: '', keepsCredentials: true, url: 'http://r.invalid' });
    answers.push(await send(own, 'PUT', '/api/repositories/lab', other));
    expect(answers.at(-1)?.status).toBe(422);
    const encoded = Buffer.from(`anna:${CANARY}`).toString('base64');
    for (const { text } of answers)
      for (const word of [CANARY, encoded, btoa(CANARY)]) expect(text).not.toContain(word);
    for (const word of [CANARY, encoded]) expect(own.running.output()).not.toContain(word);
    expect(seen.at(-1)).toContain(encoded);
  });

  it('is cut off when its index is too large', async () => {
    files.set('/index.yaml', Buffer.alloc(limits.repositoryIndexBytes + 1, 0x20));
    const answer = await send(own, 'POST', '/api/repositories/test', draft());
    expect(answer.text).toContain(`is larger than ${limits.repositoryIndexBytes} bytes`);
    expect(answer.text.length).toBeLessThan(2_000);
  });
});
