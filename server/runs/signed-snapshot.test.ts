import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '@/lib/json/canonical-json';
import type { JsonObject } from '@/lib/json/json';
import type { PlanRun, PlanRunStatus } from '@/lib/kudo/runs/plan-run';
import { testRun } from '@/lib/kudo/runs/runs-fixture';
import { sha256Of, shownRecordText } from '@/lib/kudo/runs/shown-record';
import { signedText } from '@/lib/kudo/runs/signed-run';
import { readSnapshotHead, signedSnapshotProblem, snapshotHtml } from '@/lib/kudo/snapshot/snapshot';
import { keyIdOfPem, publicKeys, type RunSigner, runSigner } from './run-signature';

const EVIL = `</pre></details><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;&lt; ’ü😀`;
const signer = runSigner(new Uint8Array(32).fill(1));
const otherSigner = runSigner(new Uint8Array(32).fill(2));

const record: JsonObject = {
  tasks: [
    {
      phase: 'main',
      step: 'load',
      task: 't',
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', change: 'changed', diff: { data: { a: EVIL } } }],
      manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'only-in-the-manifest' } }],
    },
  ],
  failure: {
    events: [{ object: 'Pod/p', reason: 'BackOff', message: EVIL, time: '2026-01-01T00:00:06Z', count: 3 }],
    logs: [{ pod: 'p', container: 'c', text: `first\n${EVIL}` }],
  },
  laterMember: { of: 'another version' },
};

function runOf(number: number, by: RunSigner | undefined, other: PlanRunStatus = {}): PlanRun {
  const ended: PlanRunStatus = {
    status: 'FATAL_ERROR',
    message: EVIL,
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:10Z',
    phases: [{ name: 'main', steps: [{ name: 'load', status: 'FATAL_ERROR', seconds: 5, message: EVIL }] }],
    changes: [{ name: 'SIZE', before: '1', after: '2' }],
    recordName: 'db-backup-1.bravo-record',
    recordSha256: sha256Of(shownRecordText(record)),
    ...other,
  };
  const run = testRun(number, ended, { reason: EVIL, requestedBy: 'jane' });
  const signature = by?.sign(signedText(run));
  return signature === undefined ? run : { ...run, status: { ...ended, signature } };
}

const pageOf = (run: PlanRun, version = '1.0') => snapshotHtml({ run, record, version, nowMs: 0 });
const page = pageOf(runOf(1, signer));
const keys = publicKeys([signer.publicKey]);

function problemOf(text: string, known = keys, version = '1.0'): string | undefined {
  const head = readSnapshotHead(text);
  return head === undefined ? 'no snapshot' : signedSnapshotProblem(text, head, { keys: known, version });
}

describe('the snapshot of a signed run', () => {
  it('is verified with the public key alone', () => {
    expect(problemOf(page)).toBeUndefined();
    expect(page).toContain(signer.keyId);
  });

  it('is the same when the run was steered, its receivers were told, and its Instance went after its end', () => {
    const run = runOf(1, signer);
    const later: PlanRun = {
      ...run,
      spec: { ...run.spec, paused: true, stopAfter: 'main', skip: [{ phase: 'main', step: 'load' }] },
      status: { ...run.status, instanceGoneAt: '2026-02-01T00:00:00Z', notices: [{ target: 't' }] },
    };
    expect(pageOf(later)).toBe(page);
  });

  it('has no script, and nothing in its data ends the element that holds it', () => {
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag));
    expect([...tags].filter((tag) => ['script', 'img', 'iframe', 'template'].includes(tag ?? ''))).toEqual([]);
    expect(page.match(/<pre id=/g)).toHaveLength(2);
    expect(page.match(/<\/details>/g)).toHaveLength(1);
  });

  it('has no manifests, only their digests', () => {
    expect(page).not.toContain('only-in-the-manifest');
    expect(page).toContain('manifestsSha256');
  });

  it('is refused when one byte of it was changed, wherever that is', () => {
    const bytes = Buffer.from(page);
    const regions = ['<style>', '<h1>', '<section>', '<footer>', '<pre id="signed-run">', '<pre id="signed-record">'];
    const around = regions.flatMap((mark) => {
      const at = Buffer.from(page.slice(0, page.indexOf(mark))).length;
      return [at, at + mark.length, at + mark.length + 40];
    });
    const sampled = [...bytes.keys()].filter((at) => at % 7 === 0 || at < 1_200 || at > bytes.length - 200);
    const accepted = [...around, ...sampled].filter((at) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return problemOf(changed.toString()) === undefined;
    });
    expect(accepted).toEqual([]);
  });

  it.each([
    ['the page', '<dd>jane</dd>', '<dd>john</dd>', /^The page was changed/],
    [
      'the signed data',
      '&#34;requestedBy&#34;:&#34;jane',
      '&#34;requestedBy&#34;:&#34;john',
      /^The data was changed: the signature/,
    ],
    [
      'the record',
      '&#34;reason&#34;:&#34;BackOff',
      '&#34;reason&#34;:&#34;Backoff',
      /^The data was changed: the record/,
    ],
    ['the id of the record', 'id="signed-record"', 'id="signed-recorD"', /^The data was changed: the record/],
    [
      'the key',
      `&#34;keyId&#34;:&#34;${signer.keyId}`,
      `&#34;keyId&#34;:&#34;${otherSigner.keyId}`,
      /^The key is unknown/,
    ],
    ['the name of the signature', '&#34;signature&#34;', '&#34;signaturE&#34;', /^No signature/],
  ])('says that it was %s', (_what, from, to, problem) => {
    expect(page.split(from)).toHaveLength(2);
    expect(problemOf(page.replace(from, to))).toMatch(problem);
  });

  it('is refused with another key, and of another key it does not name something of the file', () => {
    expect(problemOf(page, publicKeys([otherSigner.publicKey]))).toContain(`signed with key ${signer.keyId}`);
    expect(problemOf(page.replaceAll(signer.keyId, 'x\\u0007y'))).toContain('of a name that no key has');
  });

  it('is refused when another key made it, whose id the file replaces by that of the known key', () => {
    const forged = pageOf(runOf(1, otherSigner)).replaceAll(otherSigner.keyId, signer.keyId);
    expect(problemOf(forged)).toMatch(/^The data was changed/);
  });

  it('is refused with the data of another run, with and without the signature of that run', () => {
    const another = pageOf(runOf(2, signer, { message: 'fine' }));
    const dataOf = (text: string) => text.slice(text.indexOf('<details>'));
    const mixed = page.replace(dataOf(page), () => dataOf(another));
    expect(problemOf(mixed)).toMatch(/^The data was changed/);
    const value = (text: string) => readSnapshotHead(text)?.signature?.value ?? '';
    const signed = mixed.replace(value(page), () => value(another));
    expect(problemOf(signed)).toMatch(/^The page was changed/);
  });

  it('of a run that is not signed is refused', () => {
    expect(problemOf(pageOf(runOf(1, undefined)))).toMatch(/^No signature: run n\/db-backup-1/);
  });

  it('of another version of Bravo says that its data is unchanged and its page cannot be compared', () => {
    expect(problemOf(pageOf(runOf(1, signer), '0.9'))).toMatch(
      /^The page cannot be compared: .* Bravo 0\.9 .* this is 1\.0/,
    );
  });

  it('is verified after the key was replaced, as long as the old one is listed', () => {
    expect(problemOf(page, publicKeys([otherSigner.publicKey, signer.publicKey]))).toBeUndefined();
  });

  it('without the record that was signed is refused', () => {
    const text = snapshotHtml({ run: runOf(1, signer), record: undefined, version: '1.0', nowMs: 0 });
    expect(problemOf(text)).toContain('or it is missing');
  });
});

describe('the public keys', () => {
  it('hold no other keys and no private one', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(keyIdOfPem(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toMatch(/^[0-9a-f]{64}$/);
    const wrong = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';
    for (const text of ['', 'x', wrong, ec, secret]) expect(keyIdOfPem(text.toString())).toBeUndefined();
  });

  it('take a signature in one spelling only', () => {
    const { keyId, value = '' } = signer.sign('text');
    expect(keys.verify('text', { keyId: keyId ?? '', value })).toBe(true);
    for (const other of [`${value} `, value.replace('==', ''), `${value}AA`]) {
      expect(keys.verify('text', { keyId: keyId ?? '', value: other })).toBe(false);
    }
  });
});

describe('what is signed', () => {
  it('is canonical: it is the same again after it was parsed', () => {
    const text = signedText(runOf(1, signer));
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });
});
