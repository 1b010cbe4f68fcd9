import { describe, expect, it } from 'vitest';
import { escapedPath, parseRequestUri, parseUrl, queryPairs, splitHost, UrlError, urlText } from './go-url';

function problemOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof UrlError) return error.message;
  }
  return '';
}

describe('parseUrl', () => {
  it.each(['https://user:pa%20ss@example.com:80/path?query=val#fragment', 'mailto:a@b', '//host/x', '*', ''])(
    'reads %j, and urlText writes it again',
    (text) => {
      expect(urlText(parseUrl(text))).toBe(text);
    },
  );

  it('reads the zone of an address', () => {
    expect(parseUrl('http://[fe80::1%25eth0]:80/').host).toBe('[fe80::1%eth0]:80');
  });

  it.each([
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    ['http://[::1', `parse "http://[::1": missing ']' in host`],
    ['http://a:b/', 'parse "http://a:b/": invalid port ":b" after host'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['a:b/%zz', ''],
    ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
    ['http://%41/', 'parse "http://%41/": invalid URL escape "%41"'],
    ['1:b', 'parse "1:b": first path segment in URL cannot contain colon'],
  ])('refuses %j as Go does', (text, message) => {
    expect(problemOf(() => parseUrl(text))).toBe(message);
  });
});

describe('parseRequestUri', () => {
  it('treats the number sign as an ordinary character', () => {
    expect(parseRequestUri('/x?a=b#c')).toMatchObject({ path: '/x', query: 'a=b#c', fragment: '' });
  });

  it.each([
    ['', 'parse "": empty url'],
    ['abc', 'parse "abc": invalid URI for request'],
    ['http://a#b', 'parse "http://a#b": invalid character "#" in host name'],
    ['http:', ''],
  ])('has for %j the message %j', (text, message) => {
    expect(problemOf(() => parseRequestUri(text))).toBe(message);
  });
});

it('the escaped path is the written one, unless characters lack their escapes', () => {
  expect(escapedPath(parseRequestUri('/a%2Fb'))).toBe('/a%2Fb');
  expect(escapedPath(parseRequestUri('/path with spaces/'))).toBe('/path%20with%20spaces/');
});

it('hosts are split as Go does, with and without brackets', () => {
  expect(splitHost('[::1]:8080')).toEqual({ hostname: '::1', port: '8080' });
  expect(splitHost('[::1]')).toEqual({ hostname: '::1', port: '' });
  expect(splitHost('example.com:')).toEqual({ hostname: 'example.com', port: '' });
});

it('a query leaves out pairs that cannot be read', () => {
  expect(queryPairs('a=1&b&c=%zz&d=x+y;&e=%20f')).toEqual([
    ['a', '1'],
    ['b', ''],
    ['e', ' f'],
  ]);
});
