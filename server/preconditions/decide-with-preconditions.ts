import type { JudgeStart } from '@/lib/kudo/admission/admission-decision';
import {
  judgePreconditions,
  looksAtObjects,
  type PlanStart,
  preconditionRefusal,
} from '@/lib/kudo/plan-metadata/judge-preconditions';
import type { ObjectReads } from '@/lib/kudo/plan-metadata/plan-objects';
import { sourcesOf, sourceText } from '@/lib/kudo/sources/parameter-source';
import { type SourceReads, withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import { withReadValues } from '@/server/parameters/with-read-values';
import { type ObjectReader, readPlanObjects } from './read-plan-objects';

const NO_OBJECTS: ObjectReads = new Map();

export interface PreconditionReader extends ObjectReader {
  /** What becomes of a precondition that cannot be checked; `refuses` when absent. */
  readonly unknown?: 'refuses' | 'passes';
}

/**
 * Decides with the preconditions of the plan that would start. Which plan that is only the decision knows, so that it is made
 * twice when the plan looks at objects: they are read in between. Plans without preconditions cost nothing.
 * @throws TransientError when the API does not answer
 */
export async function decideWithPreconditions<T>(
  reader: PreconditionReader,
  reads: SourceReads,
  decide: (judge: JudgeStart) => T,
): Promise<T> {
  const looking: PlanStart[] = [];
  const first = decide((given) => {
    const start = { ...given, ...valuesOf(given.instance, reads) };
    if (!looksAtObjects(start)) return refusalOf(start, NO_OBJECTS, reader);
    looking.push(start);
    return undefined;
  });
  if (looking.length === 0) return first;
  const objects = await readPlanObjects(reader, looking);
  return decide((given) => refusalOf({ ...given, ...valuesOf(given.instance, reads) }, objects, reader));
}

function refusalOf(start: PlanStart, objects: ObjectReads, { unknown }: PreconditionReader): string | undefined {
  const found = judgePreconditions(start, objects);
  const problems = unknown === 'passes' ? found.filter(({ outcome }) => outcome === 'fails') : found;
  return problems.length === 0 ? undefined : preconditionRefusal(start.plan, problems).replace(/\.$/, '');
}

/** The Instance with the values of its sources, and the parameters whose source could not be read. */
function valuesOf(instance: Instance, reads: SourceReads): Pick<PlanStart, 'instance' | 'unread'> {
  const unread = sourcesOf(instance.spec).filter((source) => {
    const read = reads.get(sourceText(source));
    return read === undefined || ('problem' in read && !(read.isAbsent && source.isOptional));
  });
  return {
    instance: withReadValues(withoutSourceValues(instance), reads),
    unread: new Set(unread.map(({ parameter }) => parameter)),
  };
}
