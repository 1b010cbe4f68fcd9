import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { controllerMessage, leaseKnowledge } from './controller-words';

const NOW = 1_000_000_000_000;
const lease = (spec: { holderIdentity?: string; renewTime?: string; leaseDurationSeconds?: number }) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'bravo-controller' },
  spec,
});
const FREE = { kind: 'free' } as const;
const held = { kind: 'held', holder: 'other-1' } as const;
const unknown = (why: 'forbidden' | 'failed' | 'not live') => ({ kind: 'unknown', why }) as const;

describe('leaseKnowledge', () => {
  it('names the holder that renewed lately', () => {
    const renewTime = formatTime(NOW - 20_000);
    expect(leaseKnowledge(lease({ holderIdentity: 'other-1', renewTime, leaseDurationSeconds: 15 }), NOW)).toEqual(
      held,
    );
  });

  it('calls the lease free when it does not exist, was given back, or its holder stopped renewing', () => {
    expect(leaseKnowledge(undefined, NOW)).toEqual(FREE);
    expect(leaseKnowledge(lease({ holderIdentity: '', renewTime: formatTime(NOW) }), NOW)).toEqual(FREE);
    const renewTime = formatTime(NOW - 31_000);
    expect(leaseKnowledge(lease({ holderIdentity: 'x', renewTime, leaseDurationSeconds: 15 }), NOW)).toEqual(FREE);
  });
});

describe('controllerMessage', () => {
  it.each([held, FREE, unknown('forbidden')])('is empty while this console’s own controller runs', (known) => {
    expect(controllerMessage('running', known)).toBeUndefined();
  });

  it('says that no controller runs, and how to start one', () => {
    const message = controllerMessage('off', FREE);
    expect(message).toMatchObject({ tone: 'wait', title: 'No controller is running' });
    expect(message?.detail).toContain('BRAVO_CONTROLLER=on');
  });

  it.each([FREE, held, unknown('forbidden')])("says that it waits for the end of KUDO's manager: %j", (known) => {
    const words = { tone: 'wait', detail: expect.stringContaining('app=kudo-manager') };
    expect(controllerMessage('yields', known)).toMatchObject(words);
  });

  it('says that the own controller may not use its lease, unless another one works', () => {
    const words = { title: 'The controller may not use its lease' };
    expect(controllerMessage('forbidden', FREE)).toMatchObject(words);
    expect(controllerMessage('forbidden', unknown('forbidden'))).toMatchObject(words);
    expect(controllerMessage('forbidden', held)?.detail).toContain('other-1');
  });

  it.each(['off', 'standby', 'failed'] as const)('names the other holder of the lease while the own is %s', (state) => {
    expect(controllerMessage(state, held)).toMatchObject({
      tone: 'idle',
      detail: expect.stringContaining('other-1 holds the lease'),
    });
  });

  it.each([
    ['forbidden', 'you may not read the lease bravo-controller in namespace default'],
    ['failed', 'cannot be read now'],
    ['not live', 'this page is not live'],
  ] as const)('claims nothing of other controllers when the lease is not known: %s', (why, words) => {
    const message = controllerMessage('off', unknown(why));
    expect(message).toMatchObject({ tone: 'idle', detail: expect.stringContaining(words) });
    expect(message?.detail).toContain('is not known');
    expect(message?.title).toBe('This console does not run a controller');
  });
});
