import { describe, expect, it } from 'vitest';
import { type CertificateStatus, certificateEnd, certificateWarnings } from './certificate';

const DAY_MS = 86_400_000;
const nowMs = Date.UTC(2026, 10, 28);
const certificate = (endsInMs: number, problem?: string): CertificateStatus => ({
  certFile: '/etc/bravo/tls.crt',
  keyFile: '/etc/bravo/tls.key',
  clientCaFile: undefined,
  endsMs: nowMs + endsInMs,
  problem,
});
const textsOf = (...of: Parameters<typeof certificate>) =>
  certificateWarnings(certificate(...of), nowMs).map(({ level, text }) => `${level}: ${text}`);

describe('the certificate on the page Status', () => {
  it('gives no warning until 14 days before its end', () => {
    expect(textsOf(14 * DAY_MS)).toEqual([]);
    expect(certificateEnd(certificate(14 * DAY_MS))).toBe('until 2026-12-12T00:00:00Z');
  });

  it('warns 14 days before its end, and says which files to write', () => {
    expect(textsOf(14 * DAY_MS - 1)).toEqual([
      'waiting: The certificate ends in 13 d. Write a renewed certificate and its key to /etc/bravo/tls.crt and /etc/bravo/tls.key; the console serves them without a restart.',
    ]);
  });

  it('says that it has expired before anything else', () => {
    expect(
      textsOf(-3 * DAY_MS, 'The key of /etc/bravo/tls.key is not that of the certificate of /etc/bravo/tls.crt.'),
    ).toEqual([
      expect.stringMatching(/^failing: The certificate has expired 3 d ago, and browsers refuse it\. Write/),
      'waiting: The key of /etc/bravo/tls.key is not that of the certificate of /etc/bravo/tls.crt. The console uses the former content. Correct the file; it is read every 10 s.',
    ]);
  });
});
