import { type ReferenceParameter, referenceParameters } from '@/lib/kudo/references/reference-parameter';
import type { ReferenceValues } from '@/lib/kudo/references/reference-value';
import { templateSource, templatesOfTask } from '@/lib/kudo/rendering/task-templates';
import type { OperatorVersion, Task } from '@/lib/kudo/types';
import { scanTemplate } from '@/lib/kudo/verify/scan-template';
import { parseTemplate, TemplateError } from '@/lib/template/template';
import type { LiveObjects } from './live-objects';
import { liveValuesOf, type ReadObject } from './live-values';

/** What the templates of a task see of the cluster: `.Objects` and `.Refs`. */
export interface LiveInputs {
  readonly objects: LiveObjects;
  readonly refs: ReferenceValues;
}

export const NO_INPUTS: LiveInputs = { objects: {}, refs: {} };

/** What a task needs to know of the cluster before it is rendered. */
export interface NeededInputs {
  readonly reads: readonly ReadObject[];
  /** Those that its templates use. */
  readonly references: readonly ReferenceParameter[];
}

/** Undefined for a task that needs nothing of the cluster. */
export function neededInputs(operatorVersion: OperatorVersion, task: Task): NeededInputs | undefined {
  const { reads } = liveValuesOf(operatorVersion, task.name);
  const known = referenceParameters(operatorVersion);
  const used = known.length === 0 ? new Set<string>() : usedReferences(operatorVersion, task);
  const references = known.filter(({ parameter }) => used.has('*') || used.has(parameter));
  return reads.length + references.length === 0 ? undefined : { reads, references };
}

/** Names of `.Refs.X` in the templates of a task; `*` when `.Refs` is used in another way. */
function usedReferences(operatorVersion: OperatorVersion, task: Task): ReadonlySet<string> {
  const used = new Set<string>();
  for (const name of templatesOfTask(task)) {
    try {
      const { references, implicits } = scanTemplate(parseTemplate(name, templateSource(operatorVersion, name)));
      for (const parameter of references.keys()) used.add(parameter);
      if (implicits.has('Refs')) used.add('*');
    } catch (error) {
      // The rendering says what is wrong with it.
      if (!(error instanceof TemplateError)) throw error;
    }
  }
  return used;
}
