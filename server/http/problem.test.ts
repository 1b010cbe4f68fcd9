import { describe, expect, it, vi } from 'vitest';
import { BlockedError, ConflictError, TerminalError, TransientError } from '@/lib/errors/errors';
import { problemOf, problemResponse, Refusal, retryHeaders } from './problem';

describe('problemOf', () => {
  it.each([
    [new ConflictError('changed', 'Conflict'), 409],
    [new TransientError('away', 'ConnectionFailed'), 503],
    [new TransientError('too many', 'TooManyRequests'), 429],
    [new BlockedError('gone', 'NotFound'), 404],
    [new BlockedError('waits', 'NamespaceMissing'), 409],
    [new TerminalError('wrong', 'Invalid'), 422],
    [new TerminalError('no', 'Forbidden'), 403],
    [new TerminalError('odd', 'SomethingElse'), 422],
    [new Refusal(421, 'MisdirectedRequest', 'host'), 421],
  ])('gives %s its status', (error, status) => {
    expect(problemOf(error)).toMatchObject({ status, reason: error.reason, message: error.message });
  });

  it("takes the Kubernetes API's own code and causes from the cause, by shape", () => {
    const cause = Object.assign(new Error('bad'), {
      code: 418,
      causes: [{ reason: 'FieldValueInvalid', message: 'must be 1', field: 'spec.size' }],
    });
    expect(problemOf(new TerminalError('bad', 'Invalid', { cause }))).toEqual({
      status: 418,
      reason: 'Invalid',
      message: 'bad',
      causes: [{ field: 'spec.size', message: 'must be 1' }],
    });
  });

  it('knows an error of another copy of its class', async () => {
    vi.resetModules();
    const copy = await import('@/lib/errors/errors');
    expect(problemOf(new copy.ConflictError('elsewhere', 'Conflict'))?.status).toBe(409);
  });

  it('says nothing of what is a bug', () => {
    expect(problemOf(new TypeError('x is not a function'))).toBeUndefined();
    expect(problemOf('text')).toBeUndefined();
  });
});

describe('problemResponse', () => {
  it('is never stored and never rendered', async () => {
    const response = problemResponse({ status: 404, reason: 'NotFound', message: 'No such thing.', causes: [] });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.json()).toMatchObject({ status: 404 });
  });
});

describe('retryHeaders', () => {
  it('rounds up to whole seconds', () => {
    expect(retryHeaders(new TransientError('wait', 'TooManyRequests', { retryAfterMs: 1200 }))).toEqual({
      'Retry-After': '2',
    });
    expect(retryHeaders(new TerminalError('no', 'Invalid'))).toEqual({});
  });
});
