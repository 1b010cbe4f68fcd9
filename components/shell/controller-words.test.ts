import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { controllerMessage, leaseHolder, unseenLeaseMessage } from './controller-words';

const NOW = 1_000_000_000_000;
const lease = (spec: { holderIdentity?: string; renewTime?: string; leaseDurationSeconds?: number }) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'bravo-controller' },
  spec,
});

describe('leaseHolder', () => {
  it('names who renewed lately', () => {
    const renewTime = formatTime(NOW - 20_000);
    expect(leaseHolder(lease({ holderIdentity: 'other-1', renewTime, leaseDurationSeconds: 15 }), NOW)).toBe('other-1');
  });

  it('names nobody when the lease is free, was given back, or its holder stopped renewing', () => {
    expect(leaseHolder(undefined, NOW)).toBeUndefined();
    expect(leaseHolder(lease({ holderIdentity: '', renewTime: formatTime(NOW) }), NOW)).toBeUndefined();
    const renewTime = formatTime(NOW - 31_000);
    expect(leaseHolder(lease({ holderIdentity: 'x', renewTime, leaseDurationSeconds: 15 }), NOW)).toBeUndefined();
  });
});

describe('controllerMessage', () => {
  it('says nothing while the own controller works', () => {
    expect(controllerMessage('running', 'me')).toBeUndefined();
  });

  it('says that no controller works, and how to start one', () => {
    const message = controllerMessage('off', undefined);
    expect(message).toMatchObject({ tone: 'wait', title: 'No controller works here' });
    expect(message?.detail).toContain('BRAVO_CONTROLLER=on');
  });

  it("says that it waits for the end of KUDO's own manager, whoever holds the lease", () => {
    const words = { tone: 'wait', detail: expect.stringContaining('app=kudo-manager') };
    expect(controllerMessage('yields', undefined)).toMatchObject(words);
    expect(controllerMessage('yields', 'other-1')).toMatchObject(words);
    expect(unseenLeaseMessage('yields', 'forbidden')).toMatchObject(words);
  });

  it('says that the own controller may not use its lease, unless another one works', () => {
    const words = { title: 'The controller may not use its lease' };
    expect(controllerMessage('forbidden', undefined)).toMatchObject(words);
    expect(unseenLeaseMessage('forbidden', 'forbidden')).toMatchObject(words);
    expect(controllerMessage('forbidden', 'other-1')?.detail).toContain('other-1');
  });

  it.each(['off', 'standby', 'failed'] as const)('names the other holder of the lease while the own is %s', (state) => {
    expect(controllerMessage(state, 'other-1')).toMatchObject({
      tone: 'idle',
      detail: expect.stringContaining('other-1 holds the lease'),
    });
  });
});

describe('unseenLeaseMessage', () => {
  it('does not claim that no controller works when the person may not read the lease', () => {
    expect(unseenLeaseMessage('off', 'forbidden')).toMatchObject({
      tone: 'idle',
      detail: expect.stringContaining('you may not read the lease bravo-controller in namespace default'),
    });
    expect(unseenLeaseMessage('off', 'failed')?.detail).toContain('cannot be read now');
  });

  it('says nothing while the own controller works', () => {
    expect(unseenLeaseMessage('running', 'forbidden')).toBeUndefined();
  });
});
