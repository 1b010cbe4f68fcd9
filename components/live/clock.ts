import { systemClock } from '@/lib/clock/clock';

/** The browser's clock: the one place where components take time and timers from. */
export const browserClock = systemClock;
