import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, errorsOf, startBench } from './bench-fixture';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const STEP = 'apiVersion: kuttl.dev/v1beta1\nkind: TestStep\n';
const ASSERT = 'apiVersion: kuttl.dev/v1beta1\nkind: TestAssert\n';
const map = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const pod = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: ${name}}}\nspec: {containers: [{name: c, image: i}]}\n`;

describe('running a step', () => {
  it('HAR-030: a named object that does not exist is the API’s not-found', async () => {
    const run = await bench.run({ 'case/0-assert.yaml': map('absent') }, { set: { timeout: 1 } });
    expect(errorsOf(run)).toEqual([
      'failed in step 0-',
      expect.stringMatching(/0-assert.yaml:1: configmaps "absent" not found$/),
    ]);
  });

  it('HAR-031: an expectation without a name means the objects with its labels', async () => {
    const labelled = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {of: ${value}}}\ndata: {k: a}\n`;
    const object = (name: string, of: string, k: string) =>
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {of: ${of}}}\ndata: {k: ${k}}\n`;
    const objects = object('one', 'x', 'b') + object('two', 'x', 'a') + object('three', 'other', 'b');
    const passed = await bench.run({ 'case/0-a.yaml': objects, 'case/0-assert.yaml': labelled('x') });
    expect(errorsOf(passed)).toEqual([]);
    const failed = await bench.run(
      { 'case/0-a.yaml': objects, 'case/0-assert.yaml': labelled('other') },
      { set: { timeout: 1 } },
    );
    expect(errorsOf(failed).filter((line) => line.startsWith('resource '))).toHaveLength(1);
  });

  it('HAR-036: an object is created, then merged: lists are replaced, null removes', async () => {
    const run = await bench.run({
      'case/0-a.yaml': map('m', 'data: {a: "1", b: "2"}'),
      'case/1-b.yaml': map('m', 'data: {a: null, c: "3"}'),
      'case/1-assert.yaml': map('m', 'data: {b: "2", c: "3"}'),
      'case/1-errors.yaml': map('m', 'data: {a: "1"}'),
    });
    expect(errorsOf(run)).toEqual([]);
    expect(run.log.filter((line) => / (created|updated)$/.test(line) && line.includes('ConfigMap'))).toEqual([
      expect.stringMatching(/0-a \| ConfigMap:kuttl-.*\/m created$/),
      expect.stringMatching(/1-b \| ConfigMap:kuttl-.*\/m updated$/),
    ]);
  });

  it('HAR-037: delete by name, by labels and by kind; a missing object is fine', async () => {
    const objects = ['a', 'b', 'c']
      .map((name) => map(name).replace('{name', `{labels: {is: ${name}}, name`))
      .join('---\n');
    const deletion = (fields: string) => `${STEP}delete:\n- {apiVersion: v1, kind: ConfigMap, ${fields}}\n`;
    const run = await bench.run({
      'case/0-a.yaml': `${objects}---\n${pod('p')}`,
      'case/1-x.yaml': deletion('name: a'),
      'case/1-errors.yaml': map('a'),
      'case/1-assert.yaml': map('b'),
      'case/2-x.yaml': deletion('labels: {is: b}'),
      'case/2-errors.yaml': map('b'),
      'case/2-assert.yaml': map('c'),
      'case/3-x.yaml': `${STEP}delete:\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: v1, kind: Secret, name: missing}\n`,
      'case/3-errors.yaml': 'apiVersion: v1\nkind: Pod\n',
    });
    expect(errorsOf(run)).toEqual([]);
  });

  it('HAR-037: says what still exists after the timeout', async () => {
    const held = map('held').replace('{name', '{finalizers: [a/b], name');
    const run = await bench.run(
      { 'case/0-a.yaml': held, 'case/1-x.yaml': `${STEP}delete:\n- {apiVersion: v1, kind: ConfigMap, name: held}\n` },
      { set: { timeout: 2, skipDelete: true } },
    );
    expect(errorsOf(run)[1]).toContain(
      'timed out waiting for resource deletion (result of last check was: "configmaps "held" still exists")',
    );
  });

  it('HAR-038: an expectation that becomes true in time passes', async () => {
    const run = await bench.run(
      {
        'case/0-a.yaml': pod('web'),
        'case/0-assert.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nstatus: {phase: Running}\n',
      },
      { set: { timeout: 5 } },
    );
    expect(errorsOf(run)).toEqual([]);
  });

  it('HAR-039: an expectation that never holds fails with the errors of the last round', async () => {
    const run = await bench.run(
      { 'case/0-a.yaml': map('m', 'data: {a: "1"}'), 'case/0-assert.yaml': map('m', 'data: {a: "2"}') },
      { set: { timeout: 1 } },
    );
    expect(errorsOf(run)).toEqual([
      'failed in step 0-a',
      expect.stringMatching(/0-assert.yaml:4: ConfigMap:.*\/m .data.a: expected "2", actual "1"\n---/),
      expect.stringMatching(/^resource ConfigMap:.*\/m: .data.a: value mismatch, expected: 2 != actual: 1$/),
    ]);
  });

  it('HAR-040: a forbidden state that ends in time passes', async () => {
    const pending = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nstatus: {phase: Pending}\n';
    const run = await bench.run(
      { 'case/0-a.yaml': pod('web'), 'case/0-errors.yaml': pending },
      { set: { timeout: 5 } },
    );
    expect(errorsOf(run)).toEqual([]);
  });

  it('HAR-041: after a failed command objects are applied, and nothing is checked or collected', async () => {
    const run = await bench.run({
      'case/0-a.yaml': `${STEP}commands:\n- command: "false"\n- command: echo never\n---\n${map('m')}`,
      'case/0-assert.yaml': `${ASSERT}collectors:\n- command: echo collected\n---\n${map('absent')}`,
    });
    expect(errorsOf(run)).toEqual(['failed in step 0-a', 'command "false" failed, exit status 1']);
    expect(run.log.some((line) => line.endsWith('/m created'))).toBe(true);
    expect(run.log.some((line) => /collected|never$/.test(line))).toBe(false);
    expect(run.log).toContain('case/0-a | command failure, skipping 1 additional commands');
  });

  it('HAR-042: the timeout of a TestAssert wins over the suite’s', async () => {
    const run = await bench.run({ 'case/0-assert.yaml': `${ASSERT}timeout: 2\n---\n${map('absent')}` });
    expect(errorsOf(run)[0]).toBe('failed in step 0-');
    expect(run.cases[0]?.steps[1]?.durationMs).toBe(2_000);
  });

  it('HAR-043: a failing step ends its case, and the events are logged', async () => {
    const run = await bench.run(
      { 'case/0-a.yaml': pod('web'), 'case/1-assert.yaml': map('absent'), 'case/2-c.yaml': STEP },
      { set: { timeout: 3 } },
    );
    expect(run.cases[0]?.steps.map(({ name }) => name)).toEqual(['setup', '0-a', '1-']);
    expect(run.log.some((line) => /^case \| kuttl-\S+ events:$/.test(line))).toBe(true);
  });

  it('HAR-044: suppress leaves the events out', async () => {
    const run = await bench.run({ 'case/0-a.yaml': map('m') }, { set: { suppress: ['events'] } });
    expect(run.log).toContain('case | skipping kubernetes event logging');
  });

  it('HAR-045: collectors run when a check fails', async () => {
    const collectors = 'collectors:\n- selector: x=y\n- type: pod\n- command: echo collected\n';
    const run = await bench.run({ 'case/0-assert.yaml': `${ASSERT}timeout: 1\n${collectors}---\n${map('absent')}` });
    expect(run.log).toContain(
      'case/0- | running command: kubectl logs --prefix -l x=y -n $NAMESPACE --all-containers --tail=10',
    );
    expect(run.log).toContain('case/0- | [collector invalid: pod or selector is required]');
    expect(run.log).toContain('case/0- | collected');
  });

  it('HAR-047: expressions read the objects that they name', async () => {
    const refs = 'resourceRefs:\n- {apiVersion: v1, kind: Pod, name: web, ref: pod}\n';
    const run = await bench.run({
      'case/0-a.yaml': pod('web'),
      'case/0-assert.yaml': `${ASSERT}${refs}assertAll:\n- celExpr: pod.status.phase == 'Running'\n`,
      'case/1-assert.yaml': `${ASSERT}timeout: 1\n${refs.replace('web', 'absent')}assertAny:\n- celExpr: pod == null\n`,
    });
    expect(errorsOf(run)).toEqual([
      'failed in step 1-',
      expect.stringMatching(/^failed to get referenced resource 'kuttl-\S+\/absent': pods "absent" not found$/),
    ]);
  });

  it('HAR-048: an expression that does not compile fails the case before it runs', async () => {
    const run = await bench.run({
      'case/0-a.yaml': map('m'),
      'case/1-assert.yaml': `${ASSERT}assertAll:\n- celExpr: pod.a\n`,
    });
    expect(errorsOf(run)).toEqual([
      'failed in setup',
      expect.stringMatching(/1-assert.yaml:4: .*undeclared reference to 'pod'/),
    ]);
    expect(run.log.some((line) => line.endsWith('/m created'))).toBe(false);
  });

  it('HAR-049: a step without checks passes after its objects are applied', async () => {
    const run = await bench.run({ 'case/0-a.yaml': map('m') });
    expect([errorsOf(run), run.cases[0]?.steps[1]?.durationMs ?? 1_000_000].flat()[0]).toBeLessThan(1_000);
  });

  it('a kind that the API server does not know is an error, also where it is forbidden', async () => {
    const unknown = 'apiVersion: a.example.org/v1\nkind: Thing\nmetadata: {name: t}\n';
    const run = await bench.run({ 'case/0-errors.yaml': unknown }, { set: { timeout: 1 } });
    expect(errorsOf(run)[1]).toMatch(/0-errors.yaml:1: no matches for kind "Thing" in version "a.example.org\/v1"$/);
  });
});
