import { describe, expect, it } from 'vitest';
import { parsePlanQuestion, parseWaveRequest } from './parse-upgrade';
import { sharedPath } from './start-upgrade';

const step = (number: string) => ({
  ...{ name: `db-${number}`, operatorVersion: number, appVersion: '' },
  ...{ plan: 'deploy', isDestructive: false, isInstalled: false },
});
const way = (instance: string, installed: string, ...steps: string[]) => ({
  instance,
  installed: { name: `db-${installed}`, operatorVersion: installed, appVersion: '' },
  steps: steps.map(step),
});
const names = (...plans: ReturnType<typeof way>[]) => sharedPath(plans).map(({ name }) => name);

describe('the path of several Instances', () => {
  it('is that of the one that is furthest behind, when the others join it on the way', () => {
    expect(names(way('b', '2', '3'), way('a', '1', '2', '3'))).toEqual(['db-2', 'db-3']);
    expect(names(way('a', '1', '3'), way('b', '2', '3'))).toEqual(['db-3']);
  });

  it('is refused when one of them would begin with a version that it does not need', () => {
    expect(() => names(way('a', '1', '2', '3'), way('b', '1.5', '3'))).toThrow('instance b takes another way');
    expect(() => names(way('a', '1', '2', '4'), way('b', '1', '3', '4'))).toThrow('instance b takes another way');
  });
});

describe('the body of an upgrade', () => {
  const body = { namespace: 'demo', instances: ['a', 'a', 'b'] };

  it('is read with defaults, each Instance once', () => {
    expect(parseWaveRequest({ ...body, parameters: { A: '1' }, rollBackWave: true, to: '', subscription: '' })).toEqual(
      {
        namespace: 'demo',
        instances: ['a', 'b'],
        wish: { to: undefined, channel: undefined, parameters: { A: '1' } },
        waves: { waveSize: 1, rollBackWave: true },
        subscription: undefined,
      },
    );
  });

  it.each([
    [{ instances: ['a'] }, 'namespace'],
    [{ ...body, namespace: '../kube-system' }, 'namespace'],
    [{ ...body, instances: [] }, 'instances'],
    [{ ...body, instances: ['A B'] }, 'instances'],
    [{ ...body, instances: Array.from({ length: 21 }, (_, index) => `i${index}`) }, 'instances'],
    [{ ...body, to: 'x'.repeat(254) }, 'to'],
    [{ ...body, waveSize: 0 }, 'waveSize'],
    [{ ...body, parameters: { A: 1 } }, 'A'],
    [{ ...body, window: { start: 'at night' } }, 'window'],
    [{ ...body, window: { start: '0 1 * * *', durationMinutes: 0.5 } }, 'window'],
  ])('is refused with the field that is wrong: %j', (wrong, field) => {
    expect(() => parsePlanQuestion(wrong)).toThrow(
      expect.objectContaining({ causes: [expect.objectContaining({ field })] }),
    );
  });
});
