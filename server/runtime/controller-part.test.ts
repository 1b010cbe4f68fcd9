import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { DEFAULT_NOTICES } from '@/server/config/notices';
import { DEFAULT_PIPES } from '@/server/config/pipes';
import { readWebhookSettings } from '@/server/config/webhook';
import { silentLog } from '@/server/log/log';
import type { Part, PartOptions } from '@/server/workers/part';
import { ControllerPart } from './controller-part';
import type { ClusterAccess } from './start-parts';

/** A controller beside the console whose worker runs and ends as a test says. */
async function supervised() {
  const clock = new VirtualClock();
  const starts: { atMs: number; options: PartOptions }[] = [];
  let isSilent = false;
  const access: Pick<ClusterAccess, 'kubeconfigPath' | 'context'> = { kubeconfigPath: 'k', context: undefined };
  const controller = new ControllerPart({
    access: access as ClusterAccess,
    clock,
    log: silentLog,
    logLevel: 'silent',
    webhook: readWebhookSettings({}),
    pipePods: DEFAULT_PIPES,
    notices: DEFAULT_NOTICES,
    profileFolder: '/nowhere',
    async startPart(options): Promise<Part> {
      starts.push({ atMs: clock.monotonic(), options });
      return {
        facts: {},
        figures: async () => undefined,
        profile: () => undefined,
        get isSilent() {
          return isSilent;
        },
        stop: async () => undefined,
      };
    },
  });
  await controller.start();
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    clock,
    controller,
    starts,
    silence: () => {
      isSilent = true;
    },
    /** The newest worker leads and ends; gives the milliseconds until the next one is started. */
    async dies(): Promise<number> {
      const { options } = starts.at(-1) ?? {};
      options?.onState?.('running');
      options?.onDeath('It ended.');
      const diedAtMs = clock.monotonic();
      const before = starts.length;
      for (let waited = 0; starts.length === before && waited < 200; waited++) {
        await clock.advance(500);
        await settle();
      }
      return (starts.at(-1)?.atMs ?? 0) - diedAtMs;
    },
  };
}

describe('the supervisor of the controller’s worker', () => {
  it('waits longer each time that a worker ends soon, although each of them led', async () => {
    const { dies } = await supervised();
    const waits: number[] = [];
    for (let count = 0; count < 8; count++) waits.push(await dies());
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('begins with a short wait again after one that lived for long', async () => {
    const { dies, clock } = await supervised();
    for (let count = 0; count < 4; count++) await dies();
    await clock.advance(6 * 60_000);
    expect(await dies()).toBe(1_000);
  });

  it('says what the controller may not do with its lease, as long as that is so', async () => {
    const { controller, starts } = await supervised();
    const options = starts[0]?.options;
    options?.onNote?.('lease', 'the controller may not get Lease bravo-controller');
    options?.onState?.('forbidden');
    expect([controller.state, controller.leaseProblem]).toEqual([
      'forbidden',
      'the controller may not get Lease bravo-controller',
    ]);
    options?.onNote?.('lease', '');
    options?.onState?.('standby');
    expect([controller.state, controller.leaseProblem]).toEqual(['standby', undefined]);
  });

  it('calls the controller failed while it is dead, and while it hangs', async () => {
    const { controller, starts, silence } = await supervised();
    starts[0]?.options.onState?.('running');
    expect(controller.state).toBe('running');
    silence();
    expect(controller.state).toBe('failed');
    starts[0]?.options.onDeath('It ended.');
    expect(controller.state).toBe('failed');
  });
});
