import type { PreviewTask } from '@/lib/kudo/package/catalogue';
import type { PlanPreview } from '@/lib/kudo/view/plan-preview';
import type { BrokenRule } from './judge-rules';
import type { FieldCause } from './spec-problems';

/** What the creation of a resource of an own kind would do. Nothing is written. */
export interface ResourcePreview {
  /** Why the API server refuses it (a dry run with the rights of the person): at fields, or as a sentence. */
  readonly causes: readonly FieldCause[];
  readonly refused: string | undefined;
  /** Until this is over the controller does nothing for the resource: a rule of the kind, an Instance of that name, a missing value. */
  readonly waitsFor: BrokenRule | undefined;
  /** What the condition `Compatible` will say. */
  readonly noted: BrokenRule | undefined;
  /** Why nothing is known of what comes behind it. */
  readonly problem: string | undefined;
  /** The Instance that it becomes, or whose plan it runs. */
  readonly instance: string;
  readonly operatorVersion: string;
  readonly plan: string;
  /** Parameters that it sets. */
  readonly parameters: { readonly [name: string]: string };
  /** The objects of the first plan of a new Instance. */
  readonly tasks: readonly PreviewTask[];
  /** What the run does; undefined for a kind that becomes an Instance. */
  readonly run: PlanPreview | undefined;
}
