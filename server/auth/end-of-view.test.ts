import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { ClusterRuntime } from '@/server/clusters/cluster-runtime';
import type { Api } from '@/server/kube/api';
import { untilEndOfView } from './end-of-view';
import type { ViewVerdict } from './may-impersonate';
import type { RequestSession } from './person-of-request';

const HOUR_MS = 3_600_000;

function begin(session: Partial<RequestSession>, verdict: ViewVerdict) {
  const clock = new VirtualClock(1_000_000);
  const asked: string[] = [];
  const answers = { now: verdict };
  const request = new AbortController();
  const person = (name: string) => ({ user: { name, groups: [] }, identity: name, api: {} as Api });
  const viewAs = {
    verdict: async (viewer: { identity: string }, { name }: { name: string }) => {
      asked.push(`${viewer.identity} as ${name}`);
      return answers.now;
    },
  };
  const whole: RequestSession = {
    ...{ ...person('viewer'), cluster: {} as ClusterRuntime, viewer: person('admin') },
    viewEndsMs: clock.now() + HOUR_MS,
    ...session,
  };
  return { clock, asked, answers, request, signal: untilEndOfView(whole, request.signal, { clock, viewAs }) };
}

describe('what is open in a view', () => {
  it('ends within 31 s after the right to impersonate was withdrawn', async () => {
    const { clock, asked, answers, signal } = begin({}, 'allowed');
    await clock.advance(120_000);
    expect(signal.aborted).toBe(false);
    answers.now = 'refused';
    await clock.advance(31_000);
    expect(signal.aborted).toBe(true);
    expect(new Set(asked)).toEqual(new Set(['admin as viewer']));
  });

  it('goes on while the API server does not answer', async () => {
    const { clock, signal } = begin({}, 'unknown');
    await clock.advance(300_000);
    expect(signal.aborted).toBe(false);
  });

  it('ends with the view', async () => {
    const { clock, signal } = begin({}, 'allowed');
    await clock.advance(HOUR_MS - 1);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.aborted).toBe(true);
  });

  it('ends when the right is granted in a cluster that the view did not show', async () => {
    const { clock, asked, answers, signal } = begin(
      { refusedView: { person: { name: 'other', groups: [] }, why: 'refused' } },
      'refused',
    );
    await clock.advance(60_003);
    expect(signal.aborted).toBe(false);
    answers.now = 'allowed';
    await clock.advance(31_000);
    expect(signal.aborted).toBe(true);
    expect(asked[0]).toContain('as other');
  });

  it('ends with its request, and nobody is asked any more', async () => {
    const { clock, asked, request, signal } = begin({}, 'allowed');
    request.abort();
    expect(signal.aborted).toBe(true);
    await clock.advance(120_000);
    expect(asked).toEqual([]);
  });
});
