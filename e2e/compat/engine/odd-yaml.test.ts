import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, oneStep } from '@/test/operators/templates';

const map = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`;

describe('a template with unusual YAML', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeAll(async () => {
    engine = await startVirtualEngine();
    await engine.startController();
    lab = await Lab.open(engine, 'odd');
  });
  afterAll(() => engine?.stop());

  it.each<[string, string, string, { [key: string]: string }]>([
    [
      'carriage returns',
      'crlf',
      `${map('crlf-0', '{a: b}')}---\n${map('crlf', '{a: "1"}')}`.replaceAll('\n', '\r\n'),
      { a: '1' },
    ],
    ['a byte order mark', 'bom', `\ufeff${map('bom', '{a: "1"}')}`, { a: '1' }],
    ['anchors and merges', 'merge', `${map('merge', '\n  <<: &x {a: "1"}\n  b: "2"')}`, { a: '1', b: '2' }],
    [
      'an alias',
      'alias',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: &n alias\ndata:\n  a: *n\n',
      { a: 'alias' },
    ],
    ['a comment behind the marker', 'mark', `# head\n--- # first\n${map('mark', '{a: "1"}')}--- \n`, { a: '1' }],
    ['an end of the document', 'dots', `${map('dots', '{a: "1"}')}...\n`, { a: '1' }],
    ['the same key twice', 'twice', map('twice', '\n  a: "1"\n  a: "2"'), { a: '2' }],
    ['JSON', 'json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"json"},"data":{"a":"1"}}', { a: '1' }],
    [
      'folded and literal strings',
      'text',
      map('text', '\n  a: >-\n    one\n    two\n\n    three\n  b: |+\n    x\n'),
      { a: 'one two\nthree', b: 'x\n\n' },
    ],
    [
      'strings that look like another type',
      'like',
      map('like', '{a: "yes", b: "0o17", c: \'2020-01-01\', d: "1_000", e: "~", f: "1e3"}'),
      { a: 'yes', b: '0o17', c: '2020-01-01', d: '1_000', e: '~', f: '1e3' },
    ],
    ['a tab behind a value and in a comment', 'tab', map('tab', '\n  a: "1"\t# one\t1\n  b: "2"'), { a: '1', b: '2' }],
    ['many markers', 'many', `---\n---\n\n---\n${map('many', '{a: "1"}')}---\n---\n`, { a: '1' }],
  ])('with %s is read as Go reads it', async (_what, name, text, data) => {
    await lab.deploy(name, oneStep([apply('a', 't.yaml')], { templates: { 't.yaml': text } }));
    expect(lab.find('configmaps', name)?.data).toEqual(data);
  });

  it.each<[string, string, string]>([
    ['a list', 'list', 'apiVersion: v1\nkind: List\nitems: []\n'],
    ['no kind', 'kindless', 'apiVersion: v1\nmetadata: {name: kindless}\n'],
    ['a text', 'text-alone', 'just words\n'],
    ['a tab at the beginning of a line', 'tabs', `${map('tabs', '\n  a: "1"')}\n\t# two\n`],
    ['a map that does not end', 'open', '{apiVersion: v1, kind: ConfigMap\n'],
  ])('of %s ends the plan with words', async (_what, name, text) => {
    const spec = oneStep([apply('a', 't.yaml')], { templates: { 't.yaml': text } });
    const instance = await lab.deploy(name, spec, {}, { status: 'FATAL_ERROR' });
    expect(instance.status?.planStatus?.deploy?.phases?.[0]?.steps?.[0]?.message).toContain('fatal error: odd/');
    // As an object of an unknown kind, but at once: no CRD can ever define this kind.
    const reason = name === 'list' ? 'TaskEnhancementError' : 'TaskRenderingError';
    expect(lab.reasons(name)).toEqual(['PlanStarted', reason]);
  });
});
