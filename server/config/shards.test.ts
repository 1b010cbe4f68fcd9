import { describe, expect, it } from 'vitest';
import { readShards } from './shards';

describe('BRAVO_SHARDS', () => {
  it('is 1 when it is not set', () => {
    expect(readShards({})).toBe(1);
    expect(readShards({ BRAVO_SHARDS: '' })).toBe(1);
  });

  it('is what is set', () => expect(readShards({ BRAVO_SHARDS: '16' })).toBe(16));

  it.each(['0', '-1', '1.5', 'many', '257'])('refuses %s, with what is allowed', (text) => {
    expect(() => readShards({ BRAVO_SHARDS: text })).toThrow(
      `BRAVO_SHARDS: "${text}" is not a number of shards; give a whole number from 1 to 256, the same for all controllers.`,
    );
  });
});
