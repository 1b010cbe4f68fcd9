import { namespaceOf } from '@/lib/kube/object';
import { type ApprovalRead, approvalToRead } from '@/lib/kudo/approvals/judge-approval';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { PlanStart } from '@/lib/kudo/plan-metadata/judge-preconditions';
import { codeOf } from '@/server/kube/errors';
import type { ObjectReader } from './read-plan-objects';

/** What was read of PlanApprovals, by name. */
export type ApprovalReads = ReadonlyMap<string, ApprovalRead>;

/**
 * The PlanApprovals that starts of one Instance name, each read once. One that may not be read is a problem.
 * @throws TransientError when the API does not answer
 */
export async function readApprovals(reader: ObjectReader, starts: readonly PlanStart[]): Promise<ApprovalReads> {
  const reads = new Map<string, ApprovalRead>();
  for (const start of starts) {
    const name = approvalToRead(start);
    if (name === undefined || reads.has(name)) continue;
    reads.set(name, await readOne(reader, namespaceOf(start.instance), name));
  }
  return reads;
}

async function readOne({ api, signal }: ObjectReader, namespace: string, name: string): Promise<ApprovalRead> {
  try {
    const options = signal === undefined ? {} : { signal };
    return (await api.get({ ...PLAN_APPROVALS, namespace, name }, options)) as PlanApproval | undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === 401 || code === 403) return { problem: `PlanApproval ${name} cannot be read (${code})` };
    throw error;
  }
}
