import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { LiveObjects } from '@/lib/kudo/live-values/live-objects';
import type { ReferenceValues } from '@/lib/kudo/references/reference-value';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { TemplateParameters } from './unwrap';

/** The root of what a template sees (KUDO renderer/engine.go). */
export interface TemplateVariables {
  readonly Name: string;
  readonly Namespace: string;
  readonly OperatorName: string;
  readonly OperatorVersion: string;
  readonly AppVersion: string;
  readonly Params: TemplateParameters;
  readonly PlanName?: string;
  readonly PhaseName?: string;
  readonly StepName?: string;
  readonly Pipes?: { readonly [key: string]: string };
  /** Objects of the cluster that the task reads, by id. */
  readonly Objects?: LiveObjects;
  /** What parameters of type `instance` name, by parameter. */
  readonly Refs?: ReferenceValues;
}

/** What every template sees; parameter files of KudoOperator tasks see nothing more. */
export function baseVariables(
  instance: Instance,
  operatorVersion: OperatorVersion,
  parameters: TemplateParameters,
): TemplateVariables {
  return {
    Name: nameOf(instance),
    Namespace: namespaceOf(instance),
    OperatorName: operatorVersion.spec?.operator?.name ?? '',
    OperatorVersion: operatorVersion.spec?.version ?? '',
    AppVersion: operatorVersion.spec?.appVersion ?? '',
    Params: parameters,
  };
}
