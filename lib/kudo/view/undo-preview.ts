import type { ParameterChange } from '@/lib/kudo/admission/triggers';
import type { PlanPreview } from './plan-preview';

/** What undoing a run would do: the edit, and the plan that it starts. */
export interface UndoPreview extends PlanPreview {
  /** From the values of now to those from before the run, in the order of their names. */
  readonly changes: readonly ParameterChange[];
  /** Names of OperatorVersions; undefined when the version stays. */
  readonly version: { readonly from: string; readonly to: string } | undefined;
  /** What changed the same since, a sentence each. */
  readonly notes: readonly string[];
}
