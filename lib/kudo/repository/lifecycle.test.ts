import { describe, expect, it } from 'vitest';
import { addToIndex, formatIndex, mergeIndexes } from './build-index';
import { parseIndex } from './index-file';
import { withReleases } from './releases-file';

const FULL = `apiVersion: v1
entries:
  db:
  - operatorVersion: 2.0.0
    channels: [candidate]
    upgradableFrom: ">=1.5.0 <2.0.0"
    required: true
    withdrawn: {reason: loses data, since: "2026-02-01T00:00:00Z"}
    advisories:
    - {id: CVE-2026-1, severity: high, summary: A reader may write., url: "https://example.com/1", fixedIn: 2.0.1}
  - {operatorVersion: 1.0.0, appVersion: 5.7, upgradableFrom: {appVersion: "~5.6"}}
`;
const index = parseIndex(FULL);
const [second, first] = index.entries.get('db') ?? [];

describe('what an index says about upgrades', () => {
  it('is read, written, and read again', () => {
    expect(second?.operatorVersion === '2.0.0' ? second : first).toMatchObject({
      channels: ['candidate'],
      upgradableFrom: { operatorVersion: '>=1.5.0 <2.0.0' },
      required: true,
      withdrawn: { reason: 'loses data' },
      advisories: [{ id: 'CVE-2026-1', severity: 'high', fixedIn: '2.0.1' }],
    });
    expect(parseIndex(formatIndex(index, '2026-01-01T00:00:00Z'))).toEqual(index);
  });

  it('is absent from an entry of KUDO', () => {
    const [entry] = parseIndex('apiVersion: v1\nentries: {a: [{operatorVersion: 1.0.0}]}').entries.get('a') ?? [];
    expect(Object.keys(entry ?? {})).not.toContain('channels');
  });

  it.each([
    ['channels: []', 'channels must be a list of 1 to 20 names'],
    ['channels: [A]', 'channels must be names of lower case letters'],
    ['channels: [{}]', 'channels must be names'],
    ['upgradableFrom: "newer"', 'upgradableFrom is "newer", which is no range of versions'],
    [`upgradableFrom: "${'>'.repeat(201)}"`, 'upgradableFrom is longer than 200 characters'],
    ['upgradableFrom: 1', 'upgradableFrom must be a range'],
    ['upgradableFrom: {kudo: ">1"}', 'upgradableFrom.kudo is unknown'],
    ['required: maybe', 'required must be true or false'],
    ['withdrawn: true', 'withdrawn needs a "reason"'],
    ['withdrawn: {reason: bad, since: yesterday}', 'withdrawn.since must be a time'],
    ['advisories: {}', 'advisories must be a list of at most 50'],
    [
      'advisories: [{id: a, severity: bad, summary: b}]',
      'advisories.0 needs a "severity": low, medium, high, critical',
    ],
    ['advisories: [{id: a, severity: low, summary: b, url: "javascript:1"}]', 'advisories.0 has a "url"'],
    [`advisories: [{id: a, severity: low, summary: ${'x'.repeat(1_001)}}]`, 'advisories.0 needs a "summary"'],
  ])('refuses %s, and names the package', (field, message) => {
    expect(() => parseIndex(`apiVersion: v1\nentries: {a: [{operatorVersion: 1.0.0, ${field}}]}`)).toThrow(
      `validating index file: package a 1.0.0: ${message}`,
    );
  });

  it('is kept when the index of the archives is merged with the published one', () => {
    const bare = parseIndex('apiVersion: v1\nentries: {db: [{operatorVersion: 2.0.0, channels: [stable]}]}');
    const merged = mergeIndexes(bare, index).entries.get('db') ?? [];
    const entry = merged.find(({ operatorVersion }) => operatorVersion === '2.0.0');
    expect(entry).toMatchObject({ channels: ['stable'], required: true, withdrawn: { reason: 'loses data' } });
    expect(merged).toHaveLength(2);
  });
});

describe('a file of releases', () => {
  const built = addToIndex({ entries: new Map() }, [...index.entries.values()].flat()).index.entries.get('db') ?? [];

  it('adds its fields to the versions that it names', () => {
    const text = 'entries:\n  db:\n  - operatorVersion: 1.0.0\n    appVersion: 5.7\n    channels: [lts]\n';
    const found = withReleases(built, text, 'releases.yaml');
    expect(found.find(({ operatorVersion }) => operatorVersion === '1.0.0')).toMatchObject({ channels: ['lts'] });
    expect(found.find(({ operatorVersion }) => operatorVersion === '2.0.0')).toMatchObject({ channels: ['candidate'] });
  });

  it('is refused with the line of every mistake', () => {
    const text = `entries:
  db:
  - operatorVersion: 9.9.9
  - operatorVersion: 1.0.0
    appVersion: "5.7"
    chanels: [a]
    required: 1
  - {}
`;
    expect(() => withReleases(built, text, 'releases.yaml')).toThrow(
      [
        'releases.yaml:6: "chanels" is unknown; known are operatorVersion, appVersion, channels, upgradableFrom, required, withdrawn, advisories',
        'releases.yaml:7: "required" must be true or false',
        'releases.yaml:8: an entry of db must be a map with "operatorVersion"',
        'releases.yaml:3: no archive is db 9.9.9',
      ].join('\n'),
    );
    expect(() => withReleases(built, '[]', 'releases.yaml')).toThrow('releases.yaml:1: must have "entries"');
    expect(() => withReleases(built, 'a: [', 'releases.yaml')).toThrow('releases.yaml:1: ');
  });
});
