import { describe, expect, it } from 'vitest';
import { exportedText } from './exported-text';
import { labelPatch, parseLabelChange, reservedKeys } from './label-change';
import { type BulkOutcome, runBulk } from './run-bulk';

describe('runBulk', () => {
  it('gives each object an outcome of its own, whatever becomes of the others', async () => {
    const outcomes: BulkOutcome<string>[] = [];
    await runBulk(['a', 'b', 'c'], {
      atOnce: 2,
      signal: new AbortController().signal,
      onOutcome: (outcome) => outcomes.push(outcome),
      act: async (name) => {
        if (name === 'a') throw new Error('a is protected');
        return name === 'b' ? 'b is paused' : undefined;
      },
    });
    expect(Object.fromEntries(outcomes.map(({ target, result, message }) => [target, [result, message]]))).toEqual({
      a: ['failed', 'a is protected'],
      b: ['skipped', 'b is paused'],
      c: ['done', undefined],
    });
  });

  it('never does more at once than it may, and leaves the rest when it is stopped', async () => {
    const stop = new AbortController();
    let running = 0;
    let most = 0;
    const results: string[] = [];
    await runBulk([1, 2, 3, 4, 5], {
      atOnce: 2,
      signal: stop.signal,
      onOutcome: ({ result }) => results.push(result),
      act: async (number) => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (number === 2) stop.abort();
        return undefined;
      },
    });
    expect(most).toBe(2);
    expect(results.filter((result) => result === 'stopped').length).toBeGreaterThanOrEqual(2);
    expect(results).toHaveLength(5);
  });
});

describe('parseLabelChange', () => {
  it('reads what kubectl label takes', () => {
    expect(parseLabelChange('team=shop, tier=web\n old- empty=')).toEqual({
      set: { team: 'shop', tier: 'web', empty: '' },
      remove: ['old'],
    });
  });

  it.each([
    ['', /^Enter labels/],
    ['team', /write team=value to set it/],
    ['te am=x y', /“te” is no label/],
    ['-bad=x', /The key of “-bad=x” is invalid/],
    ['a=b!', /The value of “a=b!” is invalid/],
    ['a=b a-', /named twice/],
    ['__proto__=x', /invalid/],
  ])('refuses %j with a reason', (text, reason) => {
    expect(parseLabelChange(text)).toMatch(reason);
  });

  it('patches with the uid, so that another object of the same name is not changed', () => {
    expect(labelPatch({ set: { a: 'b' }, remove: ['c'] }, 'u1')).toEqual({
      metadata: { uid: 'u1', labels: { a: 'b', c: null } },
    });
  });

  it('knows the keys that belong to Kubernetes and KUDO', () => {
    const change = parseLabelChange('app.kubernetes.io/name=x team=y kudo.dev/instance-');
    expect(typeof change === 'string' ? change : reservedKeys(change)).toEqual([
      'app.kubernetes.io/name',
      'kudo.dev/instance',
    ]);
  });
});

describe('exportedText', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'pass',
      namespace: 'demo',
      uid: 'u1',
      managedFields: [{ manager: 'x' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"a":"c2VjcmV0"}}' },
    },
    data: { a: 'c2VjcmV0' },
  };
  const instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db', namespace: 'demo' },
    spec: { parameters: { PASSWORD: 'hunter2', SIZE: '1' } },
    status: { planStatus: {} },
  };
  const isSecret = (_: unknown, name: string) => name === 'PASSWORD';

  it('writes one document an object, without what the server writes and without secret values', () => {
    const text = exportedText([secret, instance], { withServerFields: false, withSecrets: false }, isSecret);
    expect(text.match(/^---$/gm)).toHaveLength(2);
    expect(text).not.toMatch(/c2VjcmV0|hunter2|managedFields|uid|planStatus/);
    expect(text).toContain('SIZE: "1"');
  });

  it('has secret values, and what the server writes, when it is asked for; never managedFields', () => {
    const text = exportedText([secret, instance], { withServerFields: true, withSecrets: true }, isSecret);
    expect(text).toContain('hunter2');
    expect(text).toContain('c2VjcmV0');
    expect(text).toContain('uid: u1');
    expect(text).toContain('planStatus');
    expect(text).not.toContain('managedFields');
  });

  it('does not leak a secret through the copy that kubectl keeps, even with the fields of the server', () => {
    const text = exportedText([secret], { withServerFields: true, withSecrets: false }, isSecret);
    expect(text).not.toContain('c2VjcmV0');
  });
});
