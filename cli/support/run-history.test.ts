import { describe, expect, it } from 'vitest';
import { KubeError } from '@/server/kube/errors';
import { readRuns } from './run-history';

const answering = (code: number) => ({
  list: () => Promise.reject(new KubeError({ code, reason: '', message: `code ${code}`, causes: [] })),
});

describe('the PlanRuns that a history is made of', () => {
  it.each([
    [404, 'because this cluster keeps no records of runs'],
    [403, 'because you may not list planruns.bravo.kudo.dev in namespace shop'],
  ])('are none after an answer %d, with a sentence that says why', async (code, words) => {
    const { planRuns, missing } = await readRuns({ api: answering(code), namespace: 'shop' });
    expect(planRuns).toEqual([]);
    expect(missing).toContain(words);
  });

  it('are not taken for none when the API server fails', async () => {
    await expect(readRuns({ api: answering(500), namespace: 'shop' })).rejects.toThrow('code 500');
  });
});
