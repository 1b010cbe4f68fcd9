import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { SignInLimit } from './rate-limit';

describe('SignInLimit', () => {
  it('lets an address try ten times, and then once each six seconds', async () => {
    const clock = new VirtualClock();
    const limit = new SignInLimit(clock);
    for (let tries = 0; tries < 10; tries++) expect(limit.waitMs('10.0.0.1')).toBeUndefined();
    expect(limit.waitMs('10.0.0.1')).toBe(6_000);
    expect(limit.waitMs('10.0.0.2')).toBeUndefined();
    await clock.advance(6_000);
    expect(limit.waitMs('10.0.0.1')).toBeUndefined();
    expect(limit.waitMs('10.0.0.1')).toBeGreaterThan(0);
  });

  it('limits all addresses together', () => {
    const limit = new SignInLimit(new VirtualClock());
    const waits = Array.from({ length: 121 }, (_, index) => limit.waitMs(`10.0.1.${index}`));
    expect(waits.slice(0, 120).every((waitMs) => waitMs === undefined)).toBe(true);
    expect(waits[120]).toBe(500);
  });
});
