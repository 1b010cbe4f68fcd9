import { describe, expect, it } from 'vitest';
import { controllerPlace, type HeldLease, type ProductStatus } from './product-status';
import { supportText } from './support-text';

const lease: HeldLease = {
  name: 'bravo-controller',
  holder: 'node-1/12/99',
  renewedMsAgo: 4_000,
  durationMs: 15_000,
  transitions: 2,
};

const status: ProductStatus = {
  atMs: Date.UTC(2026, 10, 28, 2),
  console: {
    version: '0.2.0',
    node: '20.20.2',
    uptimeMs: 7_200_000,
    memoryBytes: 182_000_000,
    topics: [{ topic: 'kudo.dev/v1beta1/instances', objects: 12, readers: 1, staleMs: 90_000 }],
    audit: { mode: 'file', folder: '/data/audit', lost: 0, problem: undefined },
    certificate: undefined,
  },
  cluster: {
    name: 'prod',
    context: 'prod-admin',
    server: 'https://api.example.org',
    isSandbox: false,
    version: 'v1.36.2',
    problem: undefined,
  },
  controller: {
    state: 'running',
    webhook: 'is registered at Service bravo/bravo-webhook',
    leaseProblem: undefined,
    figures: { queued: 3, longestRunningMs: 120, caches: [{ resource: 'instances', objects: 12, staleMs: 0 }] },
  },
  leases: [lease],
  leaseProblem: undefined,
  problems: [
    {
      atMs: Date.UTC(2026, 10, 28, 1),
      part: 'controller',
      level: 'warn',
      event: 'reconcile.failed',
      text: 'key=demo/db problem=no answer',
    },
  ],
};

describe('the text for support', () => {
  it('has versions, leader, sizes and the last problems', () => {
    expect(supportText(status)).toBe(`Bravo 0.2.0, 2026-11-28T02:00:00Z
Node 20.20.2, up 2 h, 182 MB
Audit log: file
API server: v1.36.2, cluster prod, answers

Controller: runs in this process and leads (here: running)
Webhook: is registered at Service bravo/bravo-webhook
Lease bravo-controller: held by node-1/12/99, renewed 4 s ago, 2 transitions

Queued: 3, longest reconcile 120 ms
Copy of instances: 12 objects

Watch kudo.dev/v1beta1/instances: 12 objects, 1 readers, out of date for 1 min

2026-11-28T01:00:00Z controller warn reconcile.failed key=demo/db problem=no answer
`);
  });

  it('does not name the address of the API server, which may be nobody’s business', () => {
    expect(supportText(status)).not.toContain('api.example.org');
  });

  it('has the end of the certificate, and what to do about it', () => {
    const certificate = {
      ...{ certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', clientCaFile: undefined, problem: undefined },
      endsMs: status.atMs + 30 * 86_400_000,
    };
    const withCertificate = (more: object) =>
      supportText({ ...status, console: { ...status.console, certificate: { ...certificate, ...more } } });
    expect(withCertificate({})).toContain('\nCertificate: until 2026-12-28T02:00:00Z\n');
    expect(withCertificate({ endsMs: status.atMs - 1 })).toContain(
      'Certificate: until 2026-11-28T01:59:59Z. The certificate has',
    );
  });

  it('says what is not known while nothing can be read', () => {
    const unread: ProductStatus = {
      ...status,
      cluster: { ...status.cluster, version: undefined, problem: 'no answer' },
      controller: { ...status.controller, state: 'off', webhook: undefined, figures: undefined },
      leases: undefined,
      leaseProblem: 'you may not list leases in namespace default',
      problems: [],
    };
    const text = supportText(unread);
    expect(text).toContain('API server: version not known, cluster prod, no answer');
    expect(text).toContain('Controller: not known: the lease cannot be read (here: off)');
    expect(text).toContain('Leases: you may not list leases in namespace default');
  });
});

describe('controllerPlace', () => {
  const off = { ...status.controller, state: 'off' } as const;

  it('is here while the controller of this process leads, whatever is known of leases', () => {
    expect(controllerPlace({ controller: status.controller, leases: undefined })).toBe('here');
  });

  it('is elsewhere while another process renews the lease', () => {
    expect(controllerPlace({ controller: off, leases: [lease] })).toBe('elsewhere');
  });

  it('is nowhere when the holder has not renewed the lease for its whole duration, or there is none', () => {
    expect(controllerPlace({ controller: off, leases: [{ ...lease, renewedMsAgo: 15_001 }] })).toBe('nowhere');
    expect(controllerPlace({ controller: off, leases: [] })).toBe('nowhere');
  });

  it('is nowhere when controllers live and none of them leads', () => {
    expect(controllerPlace({ controller: off, leases: [{ ...lease, name: 'bravo-controller-member-1a' }] })).toBe(
      'nowhere',
    );
  });

  it('is not known when the leases cannot be read', () => {
    expect(controllerPlace({ controller: off, leases: undefined })).toBe('unknown');
  });
});
