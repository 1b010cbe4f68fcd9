import type { KubeObject } from '@/lib/kube/object';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { RunNotice } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/** One person asks to start a plan, a second one approves it; it is good for one start with these inputs (docs/decisions/075). */
export const PLAN_APPROVALS = { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planapprovals' } as const;
export const PLAN_APPROVAL_API_VERSION = 'bravo.kudo.dev/v1alpha1';

/** On an Instance, in the write that starts a plan or before it: the name of the PlanApproval. The start takes it off. */
export const APPROVAL_ANNOTATION = 'bravo.kudo.dev/approval';

export interface PlanApproval extends KubeObject {
  spec?: PlanApprovalSpec;
  status?: PlanApprovalStatus;
}

/** A person writes the first five; admission writes the others, and replaces values by fingerprints. */
export interface PlanApprovalSpec {
  /** Of the Instance in the same namespace. */
  instanceName?: string;
  plan?: string;
  /** Values that go with the start, by name. */
  parameters?: { [name: string]: string };
  /** The version to move to; the Instance's own when absent. */
  operatorVersion?: string;
  /** The person's words. */
  reason?: string;
  instanceUid?: string;
  /** Over plan, version and every effective parameter (approval-digest.ts). */
  digest?: string;
  requestedBy?: string;
  /** RFC 3339. */
  requestedAt?: string;
  /** That admission wrote these. */
  proof?: string;
}

/** A right of its own: the subresource `planapprovals/status`. */
export interface PlanApprovalStatus {
  approvedBy?: string;
  /** RFC 3339. */
  approvedAt?: string;
  rejectedBy?: string;
  rejectedAt?: string;
  /** The uid of the execution that it was used for. */
  usedBy?: string;
  usedAt?: string;
  /** That admission wrote who approved. */
  proof?: string;
  /** What receivers are told of the request (docs/decisions/076), oldest first. The controller writes it. */
  notices?: RunNotice[];
}

/** The order of lists: who asked last comes first. */
export function newestFirst(one: PlanApproval, other: PlanApproval): number {
  return (other.spec?.requestedAt ?? '').localeCompare(one.spec?.requestedAt ?? '');
}

export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'used';

/** What became of an approval. */
export function approvalState({ status = {} }: PlanApproval): ApprovalState {
  if ((status.usedBy ?? '') !== '') return 'used';
  if ((status.rejectedBy ?? '') !== '') return 'rejected';
  return (status.approvedBy ?? '') === '' ? 'waiting' : 'approved';
}

/**
 * Which of some approvals a start names: one that was given for this version and values of these parameters, else the first one that was given. Values are
 * fingerprints, so that admission alone knows whether they are the same.
 *
 * @param open the newest first
 */
export function approvalFor(
  open: readonly PlanApproval[],
  start: { readonly operatorVersion: string; readonly parameters: readonly string[] },
): PlanApproval | undefined {
  const given = open.filter((one) => approvalState(one) === 'approved');
  const wanted = [...start.parameters].sort().join(',');
  const fits = ({ spec = {} }: PlanApproval) =>
    spec.operatorVersion === start.operatorVersion &&
    Object.keys(spec.parameters ?? {})
      .sort()
      .join(',') === wanted;
  return given.find(fits) ?? given[0];
}

/** The PlanApproval that the Instance names for its next start. */
export function approvalNameOf({ metadata }: Pick<Instance, 'metadata'>): string | undefined {
  const name = metadata.annotations?.[APPROVAL_ANNOTATION] ?? '';
  return name === '' ? undefined : name;
}

/** The Instance that names a PlanApproval. */
export function withApproval(instance: Instance, name: string): Instance {
  const annotations = { ...instance.metadata.annotations, [APPROVAL_ANNOTATION]: name };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** The Instance without the name of a PlanApproval that a start used up. The same object when it has none. */
export function withoutApproval(instance: Instance): Instance {
  if (instance.metadata.annotations?.[APPROVAL_ANNOTATION] === undefined) return instance;
  const { [APPROVAL_ANNOTATION]: _, ...annotations } = instance.metadata.annotations;
  const { annotations: _all, ...metadata } = instance.metadata;
  return { ...instance, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

/**
 * True when a second person has to approve this start. The first plan of an Instance is none: there is nothing yet that a person could
 * ask about; nor is the cleanup: the deletion cannot be taken back.
 */
export function needsApproval(start: {
  readonly plan: string;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
}): boolean {
  const { plan, instance, operatorVersion } = start;
  if (plan === CLEANUP_PLAN || instance.status?.planStatus === undefined) return false;
  return planMetadataOf(operatorVersion, plan).approval === true;
}
