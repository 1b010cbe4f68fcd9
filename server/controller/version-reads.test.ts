import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { Cache, CacheListener } from '@/server/kube/cache';
import { VersionReads } from './version-reads';

const PLACE = { namespace: 'ns', name: 'op-1' };
const version = (resourceVersion: string, uid = 'u'): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { ...PLACE, uid, resourceVersion },
});

/** Reads that are answered by hand, and watches that show what they are told. */
function lab() {
  const answers: ((answer: OperatorVersion | undefined) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  let listener: CacheListener = () => {};
  let watched: KubeObject | undefined;
  const instances: Pick<Cache, 'onChange'> = {
    onChange: (given) => {
      listener = given;
      return () => {};
    },
  };
  const reads = new VersionReads(instances, { get: () => watched });
  return {
    reads,
    answers,
    failures,
    watch: (object: KubeObject | undefined) => {
      watched = object;
    },
    /** An Instance arrives. */
    arrives(): KubeObject {
      const object: KubeObject = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'i' } };
      listener({ type: 'MODIFIED', object, previous: undefined });
      return object;
    },
    ask: (since: number) =>
      reads.current(PLACE, since, () => {
        return new Promise<OperatorVersion | undefined>((resolve, reject) => {
          answers.push(resolve);
          failures.push(reject);
        });
      }),
  };
}

describe('the OperatorVersion of a plan that starts', () => {
  it('is read once for all Instances that had arrived before the read', async () => {
    const { reads, ask, arrives, answers, watch } = lab();
    const [first, second, third] = [arrives(), arrives(), arrives()];
    const asked = [ask(reads.takeArrival(first)), ask(reads.takeArrival(second))];
    answers[0]?.(version('5'));
    expect(await Promise.all(asked)).toEqual([version('5'), version('5')]);
    watch(version('5'));
    expect(await ask(reads.takeArrival(third))).toEqual(version('5'));
    expect(answers).toHaveLength(1);
  });

  it('is read again for an Instance that arrived after the read began', async () => {
    const { reads, ask, arrives, answers, watch } = lab();
    watch(version('5'));
    const early = ask(reads.takeArrival(arrives()));
    const late = ask(reads.takeArrival(arrives()));
    expect(answers).toHaveLength(2);
    answers[0]?.(version('5'));
    answers[1]?.(version('6'));
    expect([await early, await late]).toEqual([version('5'), version('6')]);
  });

  it('is read again for a later reconcile of the same Instance, which something else has caused', async () => {
    const { reads, ask, arrives, answers, watch } = lab();
    watch(version('5'));
    const [one, other] = [arrives(), arrives()];
    reads.takeArrival(other);
    const read = ask(reads.takeArrival(one));
    answers[0]?.(version('5'));
    await read;
    ask(reads.takeArrival(other));
    expect(answers).toHaveLength(2);
  });

  it('is read again while the watched copy is older than what was read, or another object', async () => {
    const { reads, ask, arrives, answers, watch } = lab();
    const waiting = [arrives(), arrives(), arrives(), arrives(), arrives()];
    const asks = () => ask(reads.takeArrival(waiting.pop() ?? arrives()));
    /** Asks while the watch shows this; the API server has version 10. */
    const seeing = (shown: KubeObject | undefined) => {
      watch(shown);
      const asked = asks();
      answers.at(-1)?.(version('10'));
      return asked;
    };
    const shown = [undefined, version('9'), version('11', 'other'), undefined, version('11')];
    const got: (OperatorVersion | undefined)[] = [];
    for (const one of shown) got.push(await seeing(one));
    expect(got).toEqual([...Array.from({ length: 4 }, () => version('10')), version('11')]);
    expect(answers).toHaveLength(4);
  });

  it('is not remembered when the read fails, or finds nothing', async () => {
    const { reads, ask, arrives, answers, failures, watch } = lab();
    watch(version('5'));
    const [one, two, three] = [arrives(), arrives(), arrives()];
    const failed = ask(reads.takeArrival(one));
    failures[0]?.(new Error('cut'));
    await expect(failed).rejects.toThrow('cut');
    const nothing = ask(reads.takeArrival(two));
    answers[1]?.(undefined);
    expect(await nothing).toBeUndefined();
    void ask(reads.takeArrival(three));
    expect(answers).toHaveLength(3);
  });
});
