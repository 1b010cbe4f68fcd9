import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { type NoticeReceiver, startNoticeReceiver } from '@/test/engine/notice-receiver';
import { runBravo } from '@/test/programs/run-bravo';

const NS = 'told';

describe('the command line of notices', () => {
  let engine: Engine;
  let receiver: NoticeReceiver;
  let folder: string;
  const bravo = (...words: string[]) =>
    runBravo('notices', ...words, '-n', NS, '--kubeconfig', join(folder, 'kubeconfig'));

  beforeAll(async () => {
    process.env.BRAVO_NOTICES_ALLOW_LOCAL = 'true';
    engine = await startEngine();
    receiver = await startNoticeReceiver();
    folder = await mkdtemp(join(tmpdir(), 'bravo-notices-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, NS);
    const yaml = `
- {name: chat, urlFrom: url, format: slack, results: [FATAL_ERROR]}
- {name: pager, urlFrom: url, signingKeyFrom: hmac, plans: [backup]}
- {name: wrong, url: "ftp://very-secret"}
`;
    await engine.api.create(
      { group: '', version: 'v1', resource: 'secrets', namespace: NS },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'hooks', namespace: NS, labels: { 'bravo.kudo.dev/notices': 'true' } },
        stringData: { 'notices.yaml': yaml, url: receiver.url, hmac: '0123456789abcdef' },
      },
    );
  });
  afterAll(async () => {
    delete process.env.BRAVO_NOTICES_ALLOW_LOCAL;
    await engine?.stop();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('lists notices with their hosts, and what is wrong, and shows no secret', async () => {
    const { out, err, code } = await bravo('list');
    expect(code).toBe(0);
    const { host } = new URL(receiver.url);
    const rows = out.split('\n').map((line) => line.split('\t').map((cell) => cell.trim()));
    expect(rows.slice(1, 3)).toEqual([
      ['chat', 'Secret told/hooks', 'slack', host, 'no', 'all', 'FATAL_ERROR', 'all', NS],
      ['pager', 'Secret told/hooks', 'json', host, 'yes', 'backup', expect.any(String), 'all', NS],
    ]);
    expect(err).toContain('Secret told/hooks, key notices.yaml, line 4: `url` must give a URL that begins with https');
    expect(out + err + (await bravo('list', '-A', '-o', 'json')).out).not.toMatch(/very-secret|0123456789abcdef/);
  });

  it('sends a test notice, and says what was answered', async () => {
    const { host } = new URL(receiver.url);
    expect(await bravo('test', 'pager')).toMatchObject({
      code: 0,
      out: `The test notice was delivered: ${host} answered 204.\n`,
    });
    const [got] = receiver.received;
    expect(got?.headers['x-bravo-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      schema: 'bravo.kudo.dev/notice/v1',
      notice: 'pager',
      test: true,
    });
    receiver.answers = [403];
    const refused = await bravo('test', 'chat');
    expect([refused.code, refused.err]).toEqual([
      255,
      expect.stringContaining(`the test notice was not delivered: ${host} answered 403`),
    ]);
    expect((await bravo('test', 'wrong')).err).toContain('notice wrong does not exist');
  });
});
