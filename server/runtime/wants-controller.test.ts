import { describe, expect, it } from 'vitest';
import { wantsController } from './wants-controller';

const SANDBOX = { isSandbox: true };
const CLUSTER = { isSandbox: false };

describe('whether the controller starts with the console', () => {
  it('starts in the sandbox unless it is switched off', () => {
    expect(wantsController('auto', SANDBOX).run).toBe(true);
    expect(wantsController('off', SANDBOX).run).toBe(false);
  });

  it('never starts on a cluster of one’s own before a person asks for it, and says how', () => {
    const { run, words } = wantsController('auto', CLUSTER);
    expect(run).toBe(false);
    expect(words).toContain('in the console');
    expect(words).toContain('BRAVO_CONTROLLER=on');
  });

  it('starts on every cluster with BRAVO_CONTROLLER=on', () => {
    expect(wantsController('on', CLUSTER).run).toBe(true);
  });
});
