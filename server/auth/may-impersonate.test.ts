import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';
import { errorOfResponse } from '@/server/kube/errors';
import { ImpersonationRights } from './may-impersonate';

const OTHER = { name: 'viewer', groups: ['devs'] };

function begin() {
  const clock = new VirtualClock(1_000_000);
  const asked: string[] = [];
  const answers: { now: boolean | Error } = { now: true };
  const create = async (_: unknown, { spec }: KubeObject) => {
    const { verb, resource, name } = (spec as { resourceAttributes: Record<string, string> }).resourceAttributes;
    asked.push(`${verb} ${resource}/${name}`);
    if (answers.now instanceof Error) throw answers.now;
    return { status: { allowed: answers.now } };
  };
  const viewer = (identity: string) => ({ identity, api: { create } as unknown as Api });
  const rights = new ImpersonationRights(clock);
  return { clock, asked, answers, verdict: (identity = 'admin') => rights.verdict(viewer(identity), OTHER) };
}

describe('whether a person may see the console as another one', () => {
  it('is asked for the user and each group, and kept for 30 s', async () => {
    const { clock, asked, answers, verdict } = begin();
    expect(await verdict()).toBe('allowed');
    expect(asked).toEqual(['impersonate users/viewer', 'impersonate groups/devs']);
    answers.now = false;
    await clock.advance(29_999);
    expect(await verdict()).toBe('allowed');
    await clock.advance(1);
    expect(await verdict()).toBe('refused');
  });

  it('is asked for each identity, which is of one cluster', async () => {
    const { answers, verdict } = begin();
    expect(await verdict('admin at home')).toBe('allowed');
    answers.now = false;
    expect(await verdict('admin in second')).toBe('refused');
  });

  it.each([401, 403])('is refused by a cluster that does not accept the person (%i)', async (code) => {
    const { answers, verdict } = begin();
    answers.now = errorOfResponse(code, 'no');
    expect(await verdict()).toBe('refused');
  });

  it('is not known while the cluster fails, and is asked for again at once', async () => {
    const { answers, verdict } = begin();
    answers.now = errorOfResponse(503, 'away');
    expect(await verdict()).toBe('unknown');
    answers.now = true;
    expect(await verdict()).toBe('allowed');
  });
});
