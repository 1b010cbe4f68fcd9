import { describe, expect, it } from 'vitest';
import { DEPENDENCIES_HASH_ANNOTATION, EXECUTION_UID_ANNOTATION } from '@/lib/kudo/names';
import {
  judgePreview,
  MAX_TOKEN_CHARS,
  type PlannedManifest,
  previewToken,
  shortToken,
  uncompared,
} from './preview-token';

const SECRETS = new Set(['word-of-pass']);

function manifest(
  name: string,
  data: { [key: string]: string },
  more: { kind?: string; uid?: string; hash?: string } = {},
): PlannedManifest {
  const { kind = 'ConfigMap', uid = 'preview', hash = '' } = more;
  const annotations = { [EXECUTION_UID_ANNOTATION]: uid, [DEPENDENCIES_HASH_ANNOTATION]: hash, kept: '1' };
  const object = { apiVersion: 'v1', kind, metadata: { name, namespace: 'n', annotations }, data };
  return { phase: 'main', step: 'run', task: 'all', object, isDeleted: false };
}

const applied = (manifests: PlannedManifest[], isComplete = true) => ({ manifests, secrets: SECRETS, isComplete });

describe('the token of a preview', () => {
  const before = [manifest('a', { x: '1' }), manifest('b', { y: 'at word-of-pass' })];
  const token = previewToken(before, before, SECRETS);

  it('is met by the same manifests, whatever the run and the hash of its dependencies', () => {
    const run = [
      manifest('a', { x: '1' }, { uid: 'run', hash: 'h' }),
      manifest('b', { y: 'at word-of-pass' }, { uid: 'run' }),
    ];
    expect(judgePreview(token, applied(run))).toEqual({ digest: token.slice(0, 16), matches: true });
  });

  it('says nothing about secret values: those of secret parameters, and the data of Secrets', () => {
    const other = [manifest('a', { x: '1' }), manifest('b', { y: 'at another-one' })];
    expect(previewToken(other, other, new Set(['another-one']))).toBe(token);
    const [first, second] = ['1', '2'].map((value) => [manifest('s', { key: value }, { kind: 'Secret' })]);
    expect(previewToken(first ?? [], first ?? [], SECRETS)).toBe(previewToken(second ?? [], second ?? [], SECRETS));
  });

  it('names what is other, new, deleted instead of applied, and missing', () => {
    const [, b] = before;
    const run = [manifest('a', { x: '2' }), manifest('c', {}), ...(b === undefined ? [] : [{ ...b, isDeleted: true }])];
    const why = 'parameters, sources or the operator version were changed after the preview';
    expect(judgePreview(token, applied(run))).toMatchObject({
      matches: false,
      differs: [
        `main/run: ConfigMap a: ${why}`,
        'main/run: ConfigMap c: it was not in the preview',
        `main/run: ConfigMap b: ${why}`,
      ],
    });
    expect(judgePreview(token, applied(before.slice(1)))?.differs).toEqual(['1 object of the preview was not applied']);
    expect(judgePreview(token, applied([], true))?.differs).toEqual(['2 objects of the preview were not applied']);
    expect(judgePreview(token, applied(before.slice(1), false))?.matches).toBe(true);
  });

  it('gives random values as the reason, without comparing them', () => {
    const again = [manifest('a', { x: 'other' }), ...before.slice(1)];
    expect(judgePreview(previewToken(before, again, SECRETS), applied(before))?.differs).toEqual([
      'main/run: ConfigMap a: its template uses random values or the time, which are others in each run',
    ]);
  });

  it('stays small for very many objects, of which the first hundred are compared', () => {
    const many = Array.from({ length: 250 }, (_, at) => manifest(`m${at}`, { x: '1' }));
    const large = previewToken(many, many, SECRETS);
    expect(large).toHaveLength(MAX_TOKEN_CHARS);
    expect(judgePreview(large, applied(many))?.matches).toBe(true);
    const changed = many.map(({ object }, at) => manifest(object.metadata.name ?? '', { x: at < 50 ? '2' : '1' }));
    const { differs } = judgePreview(large, applied(changed)) ?? {};
    expect(differs).toHaveLength(21);
    expect(differs?.[20]).toBe('and 30 more');
  });

  it('is nothing when it is another text, and is not compared when a secret value is not known any more', () => {
    expect(judgePreview('soon', applied(before))).toBeUndefined();
    expect(uncompared('soon')).toBeUndefined();
    expect(uncompared(token)).toEqual({
      digest: token.slice(0, 16),
      matches: false,
      differs: ['a secret value is not known any more'],
    });
  });
});

describe('what a queue keeps of a token', () => {
  const before = [manifest('a', { x: '1' }), manifest('b', { y: 'at word-of-pass' })];
  const token = previewToken(before, before, SECRETS);
  const short = shortToken(token) ?? '';

  it('is its digest, and says whether all objects are the same', () => {
    expect([short, shortToken(short), shortToken('no token')]).toEqual([token.slice(0, 16), short, undefined]);
    expect(judgePreview(short, applied(before))).toEqual({ digest: short, matches: true });
    expect(judgePreview(short, applied([manifest('a', { x: '2' }), ...before.slice(1)]))?.differs).toEqual([
      'while the run waited in the queue, parameters, sources or the operator version were changed',
    ]);
    expect(judgePreview(short, applied(before, false))?.matches).toBe(false);
    expect(uncompared(short)).toMatchObject({ digest: short, matches: false });
  });

  it('says that random values are not compared', () => {
    const again = [manifest('a', { x: 'other' }), ...before.slice(1)];
    const random = shortToken(previewToken(before, again, SECRETS)) ?? '';
    expect(random).toMatch(/^[0-9a-f]{16}-$/);
    expect(judgePreview(random, applied(before))).toMatchObject({
      digest: random.slice(0, 16),
      differs: ['its templates use random values or the time, which are others in each run'],
    });
  });
});
