import { describe, expect, it } from 'vitest';
import type { NoticeSource } from './notice';
import { parseNotices } from './parse-notices';

const URL = 'https://hooks.example.org/T0/secret-path';

function source(texts: { [key: string]: string }, more: Partial<NoticeSource> = {}): NoticeSource {
  return { kind: 'Secret', namespace: 'shop', name: 'hooks', texts: new Map(Object.entries(texts)), ...more };
}

const parse = (yaml: string, texts: { [key: string]: string } = {}, more: Partial<NoticeSource> = {}) =>
  parseNotices(source({ 'notices.yaml': yaml, ...texts }, more), 'bravo');

/** Problems without the object and the key. */
const problems = (...wrong: Parameters<typeof parse>) =>
  parse(...wrong).problems.map((each) => each.replace(/^(Secret|ConfigMap) shop\/hooks, key notices.yaml, /, ''));

describe('notices of a ConfigMap or Secret', () => {
  it('have defaults: JSON, every plan, every result but the start, the own namespace', () => {
    expect(parse(`- name: all\n  url: ${URL}\n`)).toEqual({
      problems: [],
      notices: [
        {
          id: 'Secret/shop/hooks/all',
          name: 'all',
          url: URL,
          format: 'json',
          signingKey: undefined,
          plans: [],
          results: ['Paused', 'COMPLETE', 'FATAL_ERROR', 'Cancelled'],
          matchLabels: {},
          namespaces: ['shop'],
        },
      ],
    });
  });

  it('take URL and key of the signature from other keys of the Secret', () => {
    const yaml = `name: failures
urlFrom: slack
signingKeyFrom: hmac
format: slack
plans: [backup, 'restore*']
results: [FATAL_ERROR, Started]
instances: {matchLabels: {team: data}}
`;
    const { notices, problems: none } = parse(yaml, { slack: `${URL}\n`, hmac: '0123456789abcdef\n' });
    expect(none).toEqual([]);
    expect(notices).toMatchObject([
      { url: URL, signingKey: '0123456789abcdef', format: 'slack', matchLabels: { team: 'data' } },
    ]);
  });

  it('may be in several keys, and only keys that end in .yaml are read', () => {
    const texts = { 'a.yaml': `name: a\nurl: ${URL}`, 'b.yaml': `- name: b\n  url: ${URL}`, other: ':' };
    expect(parseNotices(source(texts), 'bravo').notices.map(({ id }) => id)).toEqual([
      'Secret/shop/hooks/a',
      'Secret/shop/hooks/b',
    ]);
    expect(parseNotices(source({ other: 'x' }), 'bravo').problems).toEqual([
      'Secret shop/hooks has no key that ends in .yaml, such as notices.yaml.',
    ]);
  });

  it('that are wrong are left out, with object, key and line; the others count', () => {
    const result = parse(`- name: good\n  url: ${URL}\n- name: bad\n  url: ${URL}\n  formt: slack\n`);
    expect(result.notices.map(({ name }) => name)).toEqual(['good']);
    expect(result.problems).toEqual([
      'Secret shop/hooks, key notices.yaml, line 5: `formt` is not a member of a notice; it has name, url, urlFrom, format, signingKeyFrom, plans, results, instances, namespaces.',
    ]);
  });

  it.each<[string, string, { [key: string]: string }]>([
    ['`name` is missing', `url: ${URL}`, {}],
    ['`name` must have lower case letters', `name: A B\nurl: ${URL}`, {}],
    ['give either `url` or `urlFrom`', 'name: a', {}],
    ['give either `url` or `urlFrom`', `name: a\nurl: ${URL}\nurlFrom: b`, { b: URL }],
    ['`urlFrom` names a key that this Secret does not have', 'name: a\nurlFrom: b', {}],
    ['`url` must give a URL that begins with https', 'name: a\nurl: file:///etc/passwd', {}],
    ['`urlFrom` must give a URL without user name', 'name: a\nurlFrom: b', { b: 'https://me:secret@h/' }],
    ['the key of the signature must have 16', `name: a\nurl: ${URL}\nsigningKeyFrom: b`, { b: 'short' }],
    ['`format` must be one of json, slack', `name: a\nurl: ${URL}\nformat: xml`, {}],
    ['`results` must be a list of some of', `name: a\nurl: ${URL}\nresults: [Done]`, {}],
    ['`plans` must be a list of texts', `name: a\nurl: ${URL}\nplans: backup`, {}],
    ['`instances` must be a map with `matchLabels`', `name: a\nurl: ${URL}\ninstances: {team: data}`, {}],
    ['`namespaces` may name others only in', `name: a\nurl: ${URL}\nnamespaces: ['*']`, {}],
    ['a notice must be a map', '- 5', {}],
    ['another notice of this object is named a', `- {name: a, url: "${URL}"}\n- {name: a, url: "${URL}"}`, {}],
    ['this is not valid YAML', `name: a\nurl: [${URL}`, {}],
  ])('say what is wrong: %s', (words, yaml, texts) => {
    expect(problems(yaml, texts).join('\n')).toContain(words);
  });

  it('show no value in a problem, whatever is where', () => {
    const wrong = [`- ${URL}: x`, `name: ${URL}`, `url: [*${URL}]`, `"${URL}`, `name: a\nname: ${URL}`, `a: &x ${URL}`];
    for (const yaml of wrong) {
      expect(problems(yaml)).not.toEqual([]);
      expect(problems(yaml).join()).not.toContain('hooks.example');
    }
  });

  it('of a ConfigMap name no keys with secrets', () => {
    expect(problems('name: a\nurlFrom: b', { b: URL }, { kind: 'ConfigMap' })).toEqual([
      'line 2: `urlFrom` needs a Secret: a ConfigMap keeps no secrets.',
    ]);
  });

  it('in the namespace of the controller may be about others', () => {
    const at = source({ 'notices.yaml': `name: a\nurl: ${URL}\nnamespaces: ['*']` }, { namespace: 'bravo' });
    expect(parseNotices(at, 'bravo')).toMatchObject({ problems: [], notices: [{ namespaces: ['*'] }] });
  });
});
