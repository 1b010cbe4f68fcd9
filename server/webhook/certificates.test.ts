import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseTime } from '@/lib/clock/clock';
import { seededRandom } from '@/lib/random/random';
import { type CertificateSet, keepCertificates } from './certificates';

const DAY_MS = 24 * 60 * 60 * 1_000;
const startMs = Date.UTC(2026, 0, 1);
const random = seededRandom('certificates');
const names = ['bravo-webhook.ops.svc', '127.0.0.1'];
const at = (nowMs: number, current?: CertificateSet) => keepCertificates(current, { names, nowMs, random });
const blocks = (pem: string) => pem.split('-----END CERTIFICATE-----').length - 1;

describe('keepCertificates', () => {
  const first = at(startMs);

  it('makes an authority and a certificate for every name, signed by it', () => {
    const authority = new X509Certificate(first.caBundlePem);
    const serving = new X509Certificate(first.certificatePem);
    expect(authority.ca).toBe(true);
    expect(serving.ca).toBe(false);
    expect(serving.verify(authority.publicKey)).toBe(true);
    expect(serving.checkIssued(authority)).toBe(true);
    expect(serving.checkHost('bravo-webhook.ops.svc')).toBe('bravo-webhook.ops.svc');
    expect(serving.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(serving.checkHost('other.ops.svc')).toBeUndefined();
    expect(serving.checkPrivateKey(createPrivateKey(first.keyPem))).toBe(true);
  });

  it('leaves them as they are while nothing is due', () => {
    expect(at(startMs + 39 * DAY_MS, first)).toBe(first);
  });

  it('replaces the serving certificate 20 days before its end, under the same authority', () => {
    const next = at(startMs + 41 * DAY_MS, first);
    expect(next.caBundlePem).toBe(first.caBundlePem);
    const serving = new X509Certificate(next.certificatePem);
    expect(serving.verify(new X509Certificate(first.caBundlePem).publicKey)).toBe(true);
    expect(parseTime(serving.validTo)).toBe(startMs + 101 * DAY_MS);
  });

  it('replaces the authority a year before its end, and still trusts the former one until that ends', () => {
    const next = at(startMs + 731 * DAY_MS, first);
    expect(blocks(next.caBundlePem)).toBe(2);
    expect(next.caBundlePem.endsWith(first.caBundlePem)).toBe(true);
    const serving = new X509Certificate(next.certificatePem);
    expect(serving.verify(new X509Certificate(next.caBundlePem).publicKey)).toBe(true);
    const later = at(startMs + 1_500 * DAY_MS, next);
    expect(blocks(later.caBundlePem)).toBe(2);
    expect(later.caBundlePem).not.toContain(first.caBundlePem);
  });

  it('serves anew when another name is asked for', () => {
    const next = keepCertificates(first, { names: ['10.0.0.7'], nowMs: startMs, random });
    expect(next.caBundlePem).toBe(first.caBundlePem);
    expect(new X509Certificate(next.certificatePem).checkIP('10.0.0.7')).toBe('10.0.0.7');
  });

  it.each<[string, Partial<CertificateSet>]>([
    ['an authority that is no certificate', { caBundlePem: 'nonsense' }],
    ['no key of the authority', { caKeyPem: '' }],
    ["another authority's key", { caKeyPem: at(startMs).caKeyPem }],
  ])('makes everything anew when there is %s', (_what, broken) => {
    const next = at(startMs, { ...first, ...broken });
    expect(new X509Certificate(next.certificatePem).verify(new X509Certificate(next.caBundlePem).publicKey)).toBe(true);
    expect(next.caKeyPem).not.toBe(first.caKeyPem);
  });

  it.each<[string, Partial<CertificateSet>]>([
    ['no certificate', { certificatePem: '' }],
    ["a certificate with another one's key", { keyPem: at(startMs).keyPem }],
    ["another authority's certificate", at(startMs)],
  ])('makes a serving certificate anew when there is %s', (_what, { certificatePem, keyPem }) => {
    const broken = { ...first, certificatePem: certificatePem ?? first.certificatePem, keyPem: keyPem ?? first.keyPem };
    const next = at(startMs, broken);
    expect(next.caKeyPem).toBe(first.caKeyPem);
    const serving = new X509Certificate(next.certificatePem);
    expect(serving.verify(new X509Certificate(first.caBundlePem).publicKey)).toBe(true);
    expect(serving.checkPrivateKey(createPrivateKey(next.keyPem))).toBe(true);
  });
});
