import type { JudgeStart } from '@/lib/kudo/admission/admission-decision';
import { approvalToRead, judgeApproval } from '@/lib/kudo/approvals/judge-approval';
import {
  judgePreconditions,
  looksAtObjects,
  type PlanStart,
  preconditionRefusal,
} from '@/lib/kudo/plan-metadata/judge-preconditions';
import type { ObjectReads } from '@/lib/kudo/plan-metadata/plan-objects';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { sourcesOf, sourceText } from '@/lib/kudo/sources/parameter-source';
import { type SourceReads, withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import { withReadValues } from '@/server/parameters/with-read-values';
import { type ApprovalReads, readApprovals } from './read-approvals';
import { type ObjectReader, readPlanObjects } from './read-plan-objects';

interface Found {
  readonly objects: ObjectReads;
  readonly approvals: ApprovalReads;
}

const NOTHING: Found = { objects: new Map(), approvals: new Map() };

export interface PreconditionReader extends ObjectReader {
  /** Checks what admission wrote of approvals; who has no key leaves that to who has. */
  readonly fingerprints?: Fingerprinter | undefined;
  /** What becomes of a precondition that cannot be checked; `refuses` when absent. */
  readonly unknown?: 'refuses' | 'passes';
}

/**
 * Decides with the preconditions of the plan that would start, and the approval that it needs. Which plan that is only the decision knows, so that it is made
 * twice when the plan looks at objects: they are read in between. Plans without either cost nothing.
 * @throws TransientError when the API does not answer
 */
export async function decideWithPreconditions<T>(
  reader: PreconditionReader,
  reads: SourceReads,
  decide: (judge: JudgeStart) => T,
): Promise<T> {
  const looking: PlanStart[] = [];
  const first = decide((given) => {
    const start = { ...given, ...startWithValues(given.instance, reads) };
    if (!looksAtObjects(start) && approvalToRead(start) === undefined) return refusalOf(start, NOTHING, reader);
    looking.push(start);
    return undefined;
  });
  if (looking.length === 0) return first;
  const [objects, approvals] = await Promise.all([readPlanObjects(reader, looking), readApprovals(reader, looking)]);
  const found = { objects, approvals };
  return decide((given) => refusalOf({ ...given, ...startWithValues(given.instance, reads) }, found, reader));
}

function refusalOf(
  start: PlanStart,
  { objects, approvals }: Found,
  { unknown, fingerprints }: PreconditionReader,
): string | undefined {
  const approval = judgeApproval(start, approvals.get(approvalToRead(start) ?? ''), fingerprints);
  const found = [...judgePreconditions(start, objects), ...(approval === undefined ? [] : [approval])];
  const problems = unknown === 'passes' ? found.filter(({ outcome }) => outcome === 'fails') : found;
  return problems.length === 0 ? undefined : preconditionRefusal(start.plan, problems).replace(/\.$/, '');
}

/** The Instance with the values of its sources, and the parameters whose source could not be read. */
export function startWithValues(instance: Instance, reads: SourceReads): Pick<PlanStart, 'instance' | 'unread'> {
  const unread = sourcesOf(instance.spec).filter((source) => {
    const read = reads.get(sourceText(source));
    return read === undefined || ('problem' in read && !(read.isAbsent && source.isOptional));
  });
  return {
    instance: withReadValues(withoutSourceValues(instance), reads),
    unread: new Set(unread.map(({ parameter }) => parameter)),
  };
}
