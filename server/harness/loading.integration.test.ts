import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, errorsOf, startBench } from './bench-fixture';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const map = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const STEP = 'apiVersion: kuttl.dev/v1beta1\nkind: TestStep\n';
const FILE = 'apiVersion: kuttl.dev/v1beta1\nkind: TestFile\n';

/** The lines of the log that name created objects. */
const created = (log: readonly string[]) =>
  log.filter((line) => line.endsWith(' created') && line.includes('ConfigMap')).map((line) => line.split('/').at(-1));

describe('loading a case', () => {
  it('HAR-011: files and folders with a number are steps, others are ignored', async () => {
    const { cases, log } = await bench.run({
      'case/00-x.yaml': map('x'),
      'case/00-assert.yaml': map('x'),
      'case/01-foo/any.yaml': map('y'),
      'case/01-foo/assert.yaml': map('y'),
      'case/README.md': 'text',
      'case/notes.txt': 'text',
      'case/operator/operator.yaml': 'a: b',
    });
    expect(cases[0]?.steps.map(({ name, assertions }) => [name, assertions])).toEqual([
      ['setup', 0],
      ['0-x', 1],
      ['1-foo', 1],
    ]);
    expect(log.filter((line) => line.includes('README'))).toEqual([]);
    expect(log.some((line) => /notes.txt": name does not follow pattern/.test(line))).toBe(true);
    expect(log.some((line) => /operator": does not begin with a number followed by a dash/.test(line))).toBe(true);
  });

  it('HAR-012: entries of one index are one step', async () => {
    const { cases, log } = await bench.run({ 'case/0-a.yaml': map('a'), 'case/00-b.yaml': map('b') });
    expect(cases[0]?.steps.map(({ name }) => name)).toEqual(['setup', '0-a']);
    expect(created(log)).toEqual(['a created', 'b created']);
  });

  it('HAR-013: two TestSteps in a step are an error with file and line', async () => {
    const run = await bench.run({ 'case/0-a.yaml': STEP, 'case/0-b.yaml': `# comment\n${STEP}` });
    expect(errorsOf(run)[1]).toMatch(/0-b.yaml:2: more than 1 TestStep not allowed in step "0"$/);
  });

  it('HAR-014, HAR-015: two documents are two objects in order, a document of comments is dropped', async () => {
    const { log } = await bench.run({ 'case/0-a.yaml': `# head\n---\n${map('one')}---\n# only\n---\n${map('two')}` });
    expect(created(log)).toEqual(['one created', 'two created']);
    expect(log.filter((line) => line.includes('has no kind and is dropped'))).toHaveLength(1);
  });

  it('HAR-016: a TestStep names files, folders and URLs', async () => {
    const server = createServer((_request, response) => response.end(map('from-url')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/a.yaml`;
    const { log, cases } = await bench.run(
      {
        'case/0-a.yaml': `${STEP}apply: [../shared/x.yaml, ../shared/folder, ${url}]\nassert: [../shared/x.yaml]\n`,
        'shared/x.yaml': map('x'),
        'shared/folder/b.yaml': map('b'),
        'shared/folder/a.yaml': map('a'),
        'shared/folder/c.txt': 'no',
      },
      { pattern: '^case$', fetchText: async (asked) => (await fetch(asked)).text() },
    );
    server.close();
    expect(created(log)).toEqual(['x created', 'a created', 'b created', 'from-url created']);
    expect(cases[0]?.steps[1]?.assertions).toBe(1);
  });

  it('HAR-017: a TestFile decides whether its file is of this run', async () => {
    const selected = (value: string) => `${FILE}testRunSelector: {matchLabels: {flavor: ${value}}}\n---\n`;
    const { log } = await bench.run(
      {
        'case/0-a.yaml': `${selected('vanilla')}${map('vanilla')}`,
        'case/0-b.yaml': `${selected('chocolate')}${map('chocolate')}`,
        'case/0-c.yaml': `${FILE}testRunSelector: {}\n---\n${map('any')}`,
      },
      { set: { runLabels: { flavor: 'vanilla' } } },
    );
    expect(created(log)).toEqual(['vanilla created', 'any created']);
    expect(log.some((line) => /Skipping .*0-b.yaml/.test(line))).toBe(true);
  });

  it('HAR-018: a TestStep names its step', async () => {
    const { log } = await bench.run({ 'case/0-a.yaml': `${STEP}metadata: {name: mine}\n` });
    expect(log).toContain('case/0-mine | test step completed 0-mine');
  });

  it('HAR-019: steps run in the order of their numbers', async () => {
    const { cases } = await bench.run({ 'case/10-c.yaml': STEP, 'case/2-b.yaml': STEP, 'case/1-a.yaml': STEP });
    expect(cases[0]?.steps.map(({ name }) => name)).toEqual(['setup', '1-a', '2-b', '10-c']);
  });

  it('HAR-080: a template gets the namespace and the variables', async () => {
    const { log } = await bench.run(
      {
        'case/0-a.gotmpl.yaml': map(
          'made',
          'data: {ns: "{{ .Namespace }}", x: "{{ add .Vars.x 1 }}", y: "{{ .Vars.y }}"}',
        ),
        'case/0-assert.gotmpl.yaml': map('made', 'data: {ns: "{{ .Namespace }}", x: "4", y: "<no value>"}'),
      },
      { templateVars: { x: 3 } },
    );
    expect(log.at(-1)).toContain('--- PASS: bravo/harness/case');
  });

  it('names file and line of text that is not YAML, and of a TestStep of another group', async () => {
    const broken = await bench.run({ 'case/0-a.yaml': `${map('a')}---\na: [` });
    expect(errorsOf(broken)[1]).toMatch(/case\/0-a.yaml:\d+: /);
    const other = await bench.run({ 'case/0-a.yaml': 'apiVersion: kudo.dev/v1beta1\nkind: TestStep\n' });
    expect(errorsOf(other)[1]).toContain('it contains an object of type kudo.dev/v1beta1, Kind=TestStep');
  });
});
