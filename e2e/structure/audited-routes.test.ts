import { describe, expect, it } from 'vitest';
import { auditedAction } from '@/lib/audit/audited-action';
import { readSources } from './sources';

/** Routes that take a body and change nothing. */
const QUESTIONS = new Set(['POST packages/[name]/[version]/preview', 'POST upgrades/plan', 'POST resources/preview']);

const routes = readSources().filter(({ path }) => /^app\/api\/.*route\.ts$/.test(path));
const writes = routes.flatMap(({ path, text }) =>
  [...text.matchAll(/export const (POST|PUT|PATCH|DELETE) = (\w+)/g)].map(([, method = '', wrapper = '']) => ({
    method,
    wrapper,
    place: path.replace(/^app\/api\//, '').replace(/\/route\.ts$/, ''),
    text,
  })),
);
const actionOf = ({ method, place }: (typeof writes)[number]) => {
  const path = place
    .replace('[...path]', 'api/v1/namespaces/n/pods')
    .replace(/\[(\w+)\]/g, '$1')
    .split('/');
  return auditedAction({ method, path, query: new URLSearchParams(), body: {}, accept: '' });
};
const nameOf = ({ method, place }: (typeof writes)[number]) => `${method} ${place}`;

describe('the audit log', () => {
  it('has every route with a session that changes something, in words', () => {
    const withSession = writes.filter(({ wrapper }) => wrapper === 'route');
    expect(withSession.length).toBeGreaterThan(15);
    const missing = withSession.filter((write) => (actionOf(write)?.summary ?? '') === '');
    expect(missing.map(nameOf).filter((name) => !QUESTIONS.has(name))).toEqual([]);
  });

  it('has every sign-in and sign-out', () => {
    const missing = writes.filter(
      ({ wrapper, text }) => wrapper === 'anonymousRoute' && !/auditSign(In|Out)\(/.test(text),
    );
    expect(missing.map(nameOf)).toEqual([]);
  });
});
