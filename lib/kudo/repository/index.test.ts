import { describe, expect, it } from 'vitest';
import { addToIndex, formatIndex, indexEntry, mergeIndexes } from './build-index';
import { findInIndex, parseIndex, type RepositoryIndex, searchIndex } from './index-file';

const versions = (index: RepositoryIndex, name: string) =>
  (index.entries.get(name) ?? []).map(({ appVersion, operatorVersion }) => `${appVersion}/${operatorVersion}`);

const FOO = parseIndex(`apiVersion: v1
entries:
  Foo:
  - {operatorVersion: 1.0.1, appVersion: 2.0.0, urls: [http://h/a]}
  - {operatorVersion: 1.0.1, appVersion: 3.0.0, urls: [http://h/b]}
  - {operatorVersion: 1.0.1, urls: [http://h/c]}
  - {operatorVersion: 1.0.1, appVersion: bar, urls: [http://h/d]}
  Bar: [{operatorVersion: 1.0.0}]
  Buzz: [{operatorVersion: 1.0.1}, {operatorVersion: 1.0.2}]
`);

describe('the index of a repository', () => {
  it('PKG-106 has the best version of each name first', () => {
    const index = parseIndex(`apiVersion: v1
entries:
  flink: [{operatorVersion: 0.3.0}, {operatorVersion: 0.3.0, appVersion: 1.7.2}]
  kafka:
  - {operatorVersion: 0.1.0, appVersion: 2.2.1}
  - {operatorVersion: 0.2.0, appVersion: 2.2.1}
  - {operatorVersion: 0.2.0, appVersion: 2.3.0}
`);
    expect(versions(index, 'flink')).toEqual(['1.7.2/0.3.0', '/0.3.0']);
    expect(versions(index, 'kafka')).toEqual(['2.3.0/0.2.0', '2.2.1/0.2.0', '2.2.1/0.1.0']);
  });

  it('PKG-105 versions are sorted: semver above other texts, each descending, then the operator version', () => {
    const index = parseIndex(`apiVersion: v1
entries:
  abc:
  - {operatorVersion: 1.0.0, appVersion: aaa}
  - {operatorVersion: 0.9.0, appVersion: bbb}
  - {operatorVersion: 1.0.0, appVersion: bbb}
  - {operatorVersion: 1.0.0, appVersion: 1.2.0}
  - {operatorVersion: 2.0.0, appVersion: 1.2.0}
  - {operatorVersion: 1.0.0, appVersion: 1.10.0}
`);
    expect(versions(index, 'abc')).toEqual([
      '1.10.0/1.0.0',
      '1.2.0/2.0.0',
      '1.2.0/1.0.0',
      'bbb/1.0.0',
      'bbb/0.9.0',
      'aaa/1.0.0',
    ]);
  });

  it('PKG-107 PKG-108 PKG-109 returns the best version that matches', () => {
    expect(findInIndex(FOO, { name: 'Foo', operatorVersion: '1.0.1' }).appVersion).toBe('3.0.0');
    expect(findInIndex(FOO, { name: 'Foo', appVersion: '2.0.0' }).urls).toEqual(['http://h/a']);
    expect(findInIndex(FOO, { name: 'Buzz' }).operatorVersion).toBe('1.0.2');
    expect(findInIndex(FOO, { name: 'Buzz', operatorVersion: '1.0.1' }).operatorVersion).toBe('1.0.1');
    expect(() => findInIndex(FOO, { name: 'None' })).toThrow('no operator found for: None');
    expect(() => findInIndex(FOO, { name: 'Foo', appVersion: '9' })).toThrow('no operator version found for Foo');
    expect(() => findInIndex(FOO, { name: 'Foo', operatorVersion: '9' })).toThrow(
      'no operator version found for Foo-9',
    );
  });

  it('PKG-110 finds entries by a part of the name', () => {
    const names = (text: string, which: 'best' | 'all' = 'best') =>
      searchIndex(FOO, text, which).map(({ name }) => name);
    expect(names('Foo')).toEqual(['Foo']);
    expect(names('Foo', 'all')).toHaveLength(4);
    expect(names('B')).toEqual(['Bar', 'Buzz']);
    expect(names('')).toHaveLength(3);
    expect(names('NotValid')).toEqual([]);
  });

  it('a removed version is not found', () => {
    const index = parseIndex(
      'apiVersion: v1\nentries: {a: [{operatorVersion: 2.0.0, removed: true}, {operatorVersion: 1.0.0}]}\n',
    );
    expect(findInIndex(index, { name: 'a' }).operatorVersion).toBe('1.0.0');
    expect(searchIndex(index, '', 'all')).toHaveLength(1);
  });

  it.each([
    ['entries: {}', 'validating index file: no API version defined'],
    [
      'apiVersion: v1\nentries: {a: [{appVersion: 1}]}',
      'validating index file: package a is missing an operator version',
    ],
    ['apiVersion: v1\nentries: {a: [null]}', 'validating index file: package a has an entry that is not a map'],
    ['a: [', 'unmarshalling index file: '],
  ])('PKG-118 %j is refused', (text, message) => {
    expect(() => parseIndex(text)).toThrow(message);
  });
});

describe('building an index', () => {
  const operator = (name: string, operatorVersion: string, appVersion = '') => ({
    name,
    operatorVersion,
    ...(appVersion === '' ? {} : { appVersion }),
    maintainers: [{ name: 'A', email: 'a@b.c' }],
    tasks: [],
    plans: {},
  });

  it('PKG-112 PKG-113 the address of an entry is made from the content of the archive', () => {
    const kafka = operator('kafka', '1.0.0', '2.2.2');
    expect(indexEntry(kafka, 'http://localhost', '1234')).toMatchObject({
      urls: ['http://localhost/kafka-2.2.2_1.0.0.tgz'],
      digest: '1234',
    });
    expect(indexEntry(kafka, '', '').urls).toEqual(['http://localhost/kafka-2.2.2_1.0.0.tgz']);
    expect(indexEntry(kafka, 'http://h/x/', '').urls).toEqual(['http://h/x/kafka-2.2.2_1.0.0.tgz']);
  });

  it('PKG-111 PKG-115 the first of equal versions is kept, and each refusal is reported', () => {
    const flink = indexEntry(operator('flink', '0.3.0', '0.7.0'), '', '1');
    const first = addToIndex({ entries: new Map() }, [flink]).index;
    const again = addToIndex(first, [
      { ...flink, digest: '2' },
      { ...flink, operatorVersion: '' },
    ]);
    expect(again.problems).toEqual([
      "operator 'flink' version: 0.7.0_0.3.0 already exists",
      "operator 'flink' is missing operator version",
    ]);
    const other = addToIndex({ entries: new Map() }, [
      { ...flink, digest: '3' },
      indexEntry(operator('kafka', '1.0.0'), '', ''),
    ]).index;
    const merged = mergeIndexes(first, other);
    expect([...merged.entries.keys()]).toEqual(['flink', 'kafka']);
    expect(merged.entries.get('flink')?.[0]?.digest).toBe('1');
  });

  it('is written with sorted keys, and parses to the same index', () => {
    const entry = indexEntry(operator('mysql', '0.1.0', '5.7'), 'http://h', 'ab');
    const text = formatIndex({ entries: new Map([['mysql', [entry]]]) }, '2019-10-25T00:00:00Z');
    expect(text).toBe(`apiVersion: v1
entries:
  mysql:
  - appVersion: "5.7"
    digest: ab
    maintainers:
    - email: a@b.c
      name: A
    name: mysql
    operatorVersion: 0.1.0
    urls:
    - http://h/mysql-5.7_0.1.0.tgz
generated: "2019-10-25T00:00:00Z"
`);
    expect(parseIndex(text).entries.get('mysql')).toEqual([entry]);
  });
});
