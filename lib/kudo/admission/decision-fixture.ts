// What the tests of the decision about edits share.

import { cloneJson } from '@/lib/json/json';
import type { Instance, OperatorVersion, Parameter, PlanExecution } from '@/lib/kudo/types';
import type { AdmissionDecision } from './admission-decision';
import { decideAdmission } from './decision';

const PLANS = ['deploy', 'update', 'cleanup', 'backup'];

export function version(name: string, parameters: Parameter[] = [], plans: string[] = PLANS): OperatorVersion {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'ns' },
    spec: {
      operator: { name: 'op' },
      version: name,
      parameters,
      plans: Object.fromEntries(plans.map((plan) => [plan, {}])),
    },
  };
}

export function instance(parameters: { [name: string]: string } = {}, planExecution: PlanExecution = {}): Instance {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', namespace: 'ns' },
    spec: { operatorVersion: { name: 'v1' }, parameters, planExecution },
  };
}

export const deploying: PlanExecution = { planName: 'deploy', uid: 'u1', status: 'IN_PROGRESS' };

export interface Update {
  versions?: { before?: OperatorVersion | undefined; after?: OperatorVersion | undefined };
  to?: string;
  parameters?: { [name: string]: string };
  execution?: PlanExecution;
  deleting?: boolean;
}

/** Sends an update that changes only what is named. */
export function update(before: Instance, versions: OperatorVersion | undefined, change: Update): AdmissionDecision {
  const old = cloneJson(before);
  if (change.deleting === true) old.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  const next = cloneJson(old);
  next.spec = { ...next.spec };
  if (change.to !== undefined) next.spec.operatorVersion = { name: change.to };
  if (change.parameters !== undefined) next.spec.parameters = change.parameters;
  if (change.execution !== undefined) next.spec.planExecution = change.execution;
  return decideAdmission({
    operation: 'UPDATE',
    old,
    new: next,
    oldOperatorVersion: change.versions?.before ?? versions,
    newOperatorVersion: change.versions?.after ?? versions,
    newUid: 'new-uid',
  });
}

export function create(sent: Instance, operatorVersion: OperatorVersion | undefined): AdmissionDecision {
  return decideAdmission({ operation: 'CREATE', new: sent, newOperatorVersion: operatorVersion, newUid: 'new-uid' });
}

export const runs = (plan: string) => ({ planName: plan, uid: 'new-uid', status: 'NEVER_RUN' });
export const parameter = (name: string, rest: Partial<Parameter> = {}): Parameter => ({
  name,
  required: false,
  ...rest,
});
