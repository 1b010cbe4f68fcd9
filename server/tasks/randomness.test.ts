import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Randomness } from './randomness';
import { renderBatch } from './render-batch';

/** SHA-256, 16 hex digits, of what version 0.1 rendered for the text `u/p/s/t`. */
const RENDERED_BY_0_1: readonly (readonly [string, string])[] = [
  ['randAlphaNum 24', '0f134deb737806ac'],
  ['randBytes 16', 'ae663eaa23bd2e2d'],
  ['uuidv4', '68486a13be0aece2'],
  ['genPrivateKey "rsa"', 'f71d27436f7a44eb'],
  ['genPrivateKey "ecdsa"', '19a05d6f5209bd9b'],
  ['genPrivateKey "ed25519"', 'd5c52faa5fef1457'],
  ['genPrivateKey "dsa"', '738ed7613bf0d369'],
  ['(genCA "ca" 365).Key', '03a42fa05e972525'],
  ['(genSelfSignedCert "h" nil nil 365).Key', '03a42fa05e972525'],
  ['bcrypt "p"', '78e0eae7a8fd9062'],
  ['htpasswd "u" "p"', 'e8ace73627d5acdd'],
  ['encryptAES "k" "t"', 'dbba587be511e5e9'],
  ['shuffle "abcdef"', '5794ceb3576ef229'],
];

function render(call: string, randomness: Randomness): string {
  const templates = [{ name: 't.yaml', text: `{{ ${call} }}` }];
  const [result] = renderBatch({ templates, values: {}, randomness, nowMs: 1_700_000_000_000 });
  return result !== undefined && 'text' in result ? result.text : '';
}

describe('random bytes of runs', () => {
  it.each(RENDERED_BY_0_1)('%s of a run that version 0.1 began are as that version rendered them', (call, digest) => {
    const text = render(call, { from: 'legacy', text: 'u/p/s/t' });
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(digest);
  });

  it.each(RENDERED_BY_0_1)('%s of a run of this version are determined by its key', (call) => {
    const of = (key: number): Randomness => ({
      from: 'run-key',
      key: new Uint8Array(32).fill(key),
      purpose: 'u/p/s/t',
    });
    expect(render(call, of(1))).toBe(render(call, of(1)));
    expect(render(call, of(1))).not.toBe(render(call, of(2)));
  });

  it('are refused to a template when the key of its run was deleted', () => {
    expect(render('randAlphaNum 24', { from: 'none' })).toBe('');
  });
});
