import { describe, expect, it } from 'vitest';
import { errorOfResponse, readStatus } from './errors';

describe('a Status of the API server', () => {
  /** A kube-apiserver sends the Status of an exec, and of a refused upgrade, without `kind` and `apiVersion`. */
  const bare = { metadata: {}, status: 'Failure', message: 'container not found ("web")', reason: 'InternalError' };

  it('is read without its kind', () => {
    const { code, reason, message } = readStatus(500, JSON.stringify({ ...bare, code: 404 }));
    expect([code, reason, message]).toEqual([404, 'InternalError', 'container not found ("web")']);
  });

  it('is not seen in an object that has a status of its own', () => {
    const pod = { kind: 'Pod', status: 'Failure', message: 'Evicted' };
    expect(readStatus(500, JSON.stringify(pod)).message).toMatch(/^The Kubernetes API answered 500/);
    expect(readStatus(500, JSON.stringify({ status: { phase: 'Failed' } })).message).toMatch(/answered 500/);
  });

  it('gives its message to the error', () => {
    expect(errorOfResponse(500, JSON.stringify({ ...bare, code: 500 })).message).toBe('container not found ("web")');
  });
});
