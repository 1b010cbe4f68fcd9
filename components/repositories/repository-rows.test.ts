import { describe, expect, it } from 'vitest';
import { RequestError } from '@/components/live/request';
import { findVersions, repositoryState } from './repository-rows';
import type { RepositoryRow } from './use-repositories';

const row = (name: string, versions: [name: string, version: string, description?: string][]): RepositoryRow => ({
  info: { name, url: `https://${name}`, kind: 'http', operators: [], isPlainHttp: false, hasCredentials: false },
  content: {
    refreshedAt: '2026-01-01T00:00:00Z',
    versions: versions.map(([of, operatorVersion, description = '']) => ({
      name: of,
      operatorVersion,
      appVersion: '',
      description,
    })),
  },
  error: null,
  isAsked: false,
});

describe('the rows of repositories', () => {
  it('say whether a repository can be read, and why not', () => {
    const { content, error } = row('a', []);
    expect(repositoryState({ content, error }).word).toBe('Ready');
    expect(repositoryState({ content: undefined, error }).word).toBe('Not asked yet');
    expect(repositoryState({ content: { refreshedAt: '', versions: [], problem: 'no' }, error })).toEqual({
      status: 'failing',
      word: 'Unreachable',
      problem: 'no',
    });
    const refused = new RequestError(403, 'Forbidden', 'You may not read secrets.');
    expect(repositoryState({ content: undefined, error: refused }).word).toBe('Refused');
  });

  it('are searched by name and description, across repositories', () => {
    const rows = [
      row('a', [
        ['pond', '2.0.0', 'Water with fish'],
        ['lake', '1.0.0'],
      ]),
      row('b', [['pond', '1.0.0']]),
    ];
    const found = (text: string) =>
      findVersions(rows, text).map(
        ({ repository, name, operatorVersion }) => `${repository}/${name} ${operatorVersion}`,
      );
    expect(found('')).toEqual(['a/lake 1.0.0', 'a/pond 2.0.0', 'b/pond 1.0.0']);
    expect(found('FISH po')).toEqual(['a/pond 2.0.0']);
    expect(found('x')).toEqual([]);
  });
});
