import { getAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant } from './fact';

/**
 * I3, rendering (C12, C19, C31): a step of one execution never gives an object other content than the first time, whatever is
 * edited meanwhile and however often the step is tried again: chance, time, parameters and templates are those of its start.
 *
 * @param isRenderedOnce true for objects whose content comes from one template of the plan, and from nobody else
 */
export function sameInputs(isRenderedOnce: (object: KubeObject) => boolean): Invariant {
  return (report) => {
    const contents = new Map<string, string>();
    return (fact) => {
      if (fact.fact !== 'change' || fact.type === 'DELETED' || !isRenderedOnce(fact.object)) return;
      const { object } = fact;
      const marks = object.metadata.annotations ?? {};
      const execution = marks[EXECUTION_UID_ANNOTATION];
      if (execution === undefined) return;
      const place = `${marks[PHASE_ANNOTATION]}.${marks[STEP_ANNOTATION]} of ${execution}`;
      const key = `${object.kind} ${namespaceOf(object)}/${nameOf(object)} by ${place}`;
      const content = JSON.stringify(getAt(object, 'data') ?? getAt(object, 'spec') ?? null);
      const before = contents.get(key);
      if (before !== undefined && before !== content) report(`I3: ${key} was ${before} and then ${content}`);
      contents.set(key, content);
    };
  };
}
