import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Question } from '@/lib/kudo/admission/review';
import { withEdit } from '@/lib/kudo/admission/triggers';
import { needsApproval } from '@/lib/kudo/approvals/plan-approval';
import { type ApprovalDecision, type Author, admitDecision, admitRequest } from '@/lib/kudo/approvals/review-approval';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { hasPlan, operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { readSources } from '@/server/parameters/read-sources';
import { startWithValues } from '@/server/preconditions/decide-with-preconditions';
import type { JudgeOptions } from './judge';

type ApprovalQuestion = Extract<Question, { kind: 'approval' }>;

/** Decides about a request for an approval, or about the approval itself; reads live what the digest is made of. */
export async function judgePlanApproval(
  { stored, sent, by }: ApprovalQuestion,
  options: JudgeOptions,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const { clock, fingerprints } = options;
  const author: Author = { by, now: formatTime(clock.now()), fingerprints };
  return stored === undefined ? request(sent, author, options, signal) : admitDecision(stored, sent, author);
}

async function request(
  sent: ApprovalQuestion['sent'],
  author: Author,
  { api }: JudgeOptions,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const { instanceName = '', plan = '', parameters = {}, operatorVersion: wanted = '' } = sent.spec ?? {};
  if (nameOf(sent) === '')
    return { denied: 'a PlanApproval needs a name of its own: generateName gives it one too late' };
  const namespace = namespaceOf(sent);
  const instance = (await api.get({ ...INSTANCES, namespace, name: instanceName }, { signal })) as Instance | undefined;
  if (instance === undefined) return { denied: `Instance ${namespace}/${instanceName} does not exist` };
  const key = operatorVersionKey(instance);
  const read = async (name: string) =>
    (await api.get({ ...OPERATOR_VERSIONS, ...key, name }, { signal })) as OperatorVersion | undefined;
  const isMoved = wanted !== '' && wanted !== key.name;
  const target = isMoved ? wanted : key.name;
  const operatorVersion = await read(target);
  if (operatorVersion === undefined) return { denied: `OperatorVersion ${target} does not exist` };
  if (!hasPlan(operatorVersion, plan)) return { denied: `plan ${plan} does not exist` };
  const edited = withEdit(instance, { parameters, ...(isMoved ? { operatorVersion } : {}) });
  if (!needsApproval({ plan, instance: edited, operatorVersion })) return { denied: `plan ${plan} needs no approval` };
  const start = startWithValues(edited, await readSources(api, [edited], signal));
  const unread = [...(start.unread ?? [])];
  if (unread.length > 0) return { denied: `the value of parameter ${unread.join(', ')} cannot be read` };
  return admitRequest(sent, { plan, instance: start.instance, operatorVersion }, author);
}
