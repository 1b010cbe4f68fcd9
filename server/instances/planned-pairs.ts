import { BravoError, messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import type { PlannedPair } from '@/lib/kudo/view/planned-changes';
import { limits } from '@/lib/limits/limits';
import type { Api, Target } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import { keepUnknownHash } from './mark-planned';
import { type AppliedPreview, previewApply } from './preview-apply';
import type { PlannedObject, PlannedState } from './render-planned';

export interface PairReader {
  readonly api: Api;
  readonly kinds: KindIndex;
  /** Sentences about what is wrong, and about what could not be found out; they are added to. */
  readonly problems: string[];
  readonly unchecked: string[];
}

/** The objects of a plan beside those that exist, by {@link PlannedObject.id}. What may not be read counts as missing, and is named. */
export async function pairsOf(
  reader: PairReader,
  state: PlannedState,
  instance: Instance,
): Promise<ReadonlyMap<string, PlannedPair>> {
  const shown = state.objects.slice(0, limits.previewObjects);
  if (shown.length < state.objects.length) {
    reader.problems.push(`The plan has ${state.objects.length} objects; only the first ${shown.length} are compared.`);
  }
  const isDryRun = (index: number) => index < limits.previewDryRuns;
  const pairs = await Promise.all(
    shown.map(async (planned, index) => {
      const isReplaced = !planned.isDeleted && state.all.some((each) => each.id === planned.id && each.isDeleted);
      return pairOf(reader, { ...planned, isReplaced, isDryRun: isDryRun(index) && !isReplaced, instance });
    }),
  );
  reader.unchecked.push(...computedWords(pairs));
  return new Map(pairs.map((pair, index) => [shown[index]?.id ?? '', pair]));
}

interface Wanted extends PlannedObject {
  readonly isReplaced: boolean;
  readonly isDryRun: boolean;
  readonly instance: Instance;
}

async function pairOf(reader: PairReader, wanted: Wanted): Promise<ComparedPair> {
  const { object, place, isDeleted, isReplaced } = wanted;
  const { target, live } = await liveObject(reader, object);
  keepUnknownHash(object, live);
  const pair = { object, place, isDeleted, isReplaced, live, after: object };
  if (isDeleted || target === undefined) return pair;
  const asking = { api: reader.api, instance: wanted.instance, isDryRun: wanted.isDryRun };
  const { after, problem, computed } = await previewApply({ target, object, live }, asking);
  if (problem !== undefined) reader.problems.push(problem);
  return { ...pair, after, ...(computed === undefined ? {} : { computed }) };
}

type ComparedPair = PlannedPair & Pick<AppliedPreview, 'computed'>;

/** Why objects are compared without a dry run, in one sentence: a person who may not ask may not ask for any. */
function computedWords(pairs: readonly ComparedPair[]): string[] {
  const [first, ...others] = pairs.flatMap(({ computed }) => computed ?? []);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} (${others.length} more objects are computed, too)`];
}

async function liveObject(
  { api, kinds, problems }: PairReader,
  object: KubeObject,
): Promise<{ readonly target?: Target; readonly live: KubeObject | undefined }> {
  try {
    const target = await kinds.targetOf(object);
    return target === undefined ? { live: undefined } : { target, live: await api.get(target) };
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    problems.push(`${object.kind} ${object.metadata.name ?? ''} cannot be compared: ${messageOf(error)}`);
    return { live: undefined };
  }
}
