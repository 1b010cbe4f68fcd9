import { describe, expect, it } from 'vitest';
import { fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { PlanRun, PlanRunSpec } from './plan-run';
import { testRun } from './runs-fixture';
import { STEERED_BY_ANNOTATION, steeringAuthors, withSteeringAuthor } from './steering-author';
import { steeringEntries } from './steering-entries';

const write = (stored: PlanRun, spec: PlanRunSpec, by?: string, annotation?: string): PlanRun => {
  const annotations = annotation === undefined ? stored.metadata.annotations : { [STEERED_BY_ANNOTATION]: annotation };
  const metadata = { ...stored.metadata, ...(annotations === undefined ? {} : { annotations }) };
  const sent = { ...stored, metadata, spec: { ...stored.spec, ...spec } };
  return withSteeringAuthor({ stored, sent, by }, TEST_FINGERPRINTS);
};
const authors = (run: PlanRun) => steeringAuthors(run, TEST_FINGERPRINTS);

describe('who steers a run', () => {
  it('is who wrote each field last', () => {
    const paused = write(testRun(1), { paused: true }, 'jane');
    expect(authors(paused)).toEqual({ paused: 'jane' });
    const cancelled = write(paused, { cancelled: true }, 'joe');
    expect(authors(cancelled)).toEqual({ paused: 'jane', cancelled: 'joe' });
    expect(authors(write(cancelled, { paused: false }, 'joe'))).toEqual({ paused: 'joe', cancelled: 'joe' });
    expect(steeringEntries(cancelled, undefined, 0, authors(cancelled))).toMatchObject([
      { event: 'Cancelled', by: 'joe' },
    ]);
  });

  it('is nobody where nobody can tell, and a write that steers nothing changes nothing', () => {
    const paused = write(testRun(1), { paused: true }, 'jane');
    expect(authors(write(paused, { cancelled: true }))).toEqual({ paused: 'jane' });
    expect(write(paused, {}, 'joe')).toMatchObject(paused);
    expect(write(testRun(1), {}, 'joe').metadata.annotations).toBeUndefined();
  });

  it('is not what a person claims', () => {
    const claim = write(testRun(1), { paused: true }, 'jane').metadata.annotations?.[STEERED_BY_ANNOTATION] ?? '';
    const forged = claim.replace('jane', 'joe');
    expect(authors(write(testRun(1), { paused: true }, 'mallory', forged))).toEqual({ paused: 'mallory' });
    expect(authors(write(testRun(1), {}, 'mallory', claim))).toEqual({});
    const unasked = {
      ...testRun(1),
      metadata: { ...testRun(1).metadata, annotations: { [STEERED_BY_ANNOTATION]: forged } },
    };
    expect(authors(unasked)).toEqual({});
    // Everybody can read the fingerprint of a text that they choose: of a secret parameter.
    const by = { paused: 'joe' };
    const readable = TEST_FINGERPRINTS.of(`run ${testRun(1).metadata.uid} is steered by ${JSON.stringify(by)}`);
    const annotations = { [STEERED_BY_ANNOTATION]: JSON.stringify({ by, proof: readable }) };
    expect(authors({ ...testRun(1), metadata: { ...testRun(1).metadata, annotations } })).toEqual({});
    const other = write(testRun(1), { paused: true }, 'jane');
    expect(steeringAuthors(other, fingerprinter(new Uint8Array(32)))).toEqual({});
    expect(authors({ ...other, metadata: { ...other.metadata, uid: 'another' } })).toEqual({});
  });
});
