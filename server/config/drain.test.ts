import { describe, expect, it } from 'vitest';
import { readDrainMs } from './drain';

describe('BRAVO_DRAIN_SECONDS', () => {
  it('is 5 s in a pod and nothing elsewhere', () => {
    expect(readDrainMs({ KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toBe(5_000);
    expect(readDrainMs({})).toBe(0);
    expect(readDrainMs({ BRAVO_DRAIN_SECONDS: '' })).toBe(0);
  });

  it('is what is set', () => {
    expect(readDrainMs({ KUBERNETES_SERVICE_HOST: '10.0.0.1', BRAVO_DRAIN_SECONDS: '0' })).toBe(0);
    expect(readDrainMs({ BRAVO_DRAIN_SECONDS: '20' })).toBe(20_000);
  });

  it.each(['-1', '1.5', 'soon', '301'])('refuses %s, with what is allowed', (text) => {
    expect(() => readDrainMs({ BRAVO_DRAIN_SECONDS: text })).toThrow(
      `BRAVO_DRAIN_SECONDS: "${text}" is not a time; give whole seconds from 0 to 300.`,
    );
  });
});
