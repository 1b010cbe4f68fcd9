import { describe, expect, it } from 'vitest';
import { TransientError } from '@/lib/errors/errors';
import { errorOfResponse } from '@/server/kube/errors';
import { undisturbed } from './disturbance';

describe('a run that the machine interrupts', () => {
  const play = async (errors: Error[]) => {
    let again = 0;
    const played = undisturbed(
      async () => {
        const error = errors.shift();
        if (error !== undefined) throw error;
        return 'played';
      },
      () => {
        again += 1;
      },
    );
    return { end: await played.catch((error: unknown) => error), again };
  };
  const silent = () => new TransientError('The Kubernetes API did not answer within 30 s.', 'Timeout');

  it('is repeated when the server of the run did not answer in time', async () => {
    const late = errorOfResponse(408, '');
    expect(await play([silent(), late])).toEqual({ end: 'played', again: 2 });
  });

  it('ends with the error when it is interrupted five times', async () => {
    const { end, again } = await play([silent(), silent(), silent(), silent(), silent()]);
    expect(end).toBeInstanceOf(TransientError);
    expect(again).toBe(4);
  });

  it('ends with every other error at once', async () => {
    const refused = new Error('I1: the Instance does not become idle');
    expect(await play([refused])).toEqual({ end: refused, again: 0 });
    const broken = new TransientError('The Kubernetes API answered 500.', 'InternalError');
    expect(await play([broken])).toEqual({ end: broken, again: 0 });
  });
});
