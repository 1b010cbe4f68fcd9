import { getAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant } from './fact';

interface Rules {
  /** True for objects whose content comes from one template of the plan, and from nobody else. */
  isRenderedOnce(object: KubeObject): boolean;
  /** The uid of the execution when the object is the Secret of a run. */
  memoryOf(object: KubeObject): string | undefined;
}

interface Written {
  readonly content: string;
  /** The number of the fact since when an edit explains other content: the beginning of the execution, or the last other content. */
  readonly at: number;
}

/**
 * I3, rendering: a step of one execution always renders the same content of an object, whatever users edit meanwhile and
 * however often the step is retried: randomness, time, parameters and templates are those of its start.
 *
 * One case is allowed, once for each edit: the OperatorVersion is edited (or deleted and created again) after the execution started
 * and before its first reconcile ended, which stores the Secret of the run, and the process died with what it had rendered.
 */
export function sameInputs({ isRenderedOnce, memoryOf }: Rules): Invariant {
  return (report) => {
    const contents = new Map<string, Written>();
    // Read only when it matters: their content is compressed.
    const secrets: { readonly object: KubeObject; readonly at: number }[] = [];
    const editedAt = new Map<string, number>();
    const begunAt = new Map<string, number>();
    const versions = new Set<string>();
    let count = 0;
    const isLost = (execution: string, namespace: string, since: number) => {
      const edited = editedAt.get(namespace) ?? -1;
      const stored = secrets.find(({ object }) => memoryOf(object) === execution)?.at ?? Number.POSITIVE_INFINITY;
      return edited > since && edited < stored;
    };
    return (fact) => {
      count++;
      if (fact.fact !== 'change' || fact.type === 'DELETED') return;
      const { object } = fact;
      const begun = stringAt(object, 'spec', 'planExecution', 'uid') ?? '';
      if (object.kind === 'Instance' && !begunAt.has(begun)) begunAt.set(begun, count);
      if (object.kind === 'OperatorVersion') {
        const version = `${namespaceOf(object)}/${nameOf(object)}`;
        if (fact.before !== undefined || versions.has(version)) editedAt.set(namespaceOf(object), count);
        versions.add(version);
      }
      if (object.kind === 'Secret') secrets.push({ object, at: count });
      if (!isRenderedOnce(object)) return;
      const marks = object.metadata.annotations ?? {};
      const execution = marks[EXECUTION_UID_ANNOTATION];
      if (execution === undefined) return;
      const place = `${marks[PHASE_ANNOTATION]}.${marks[STEP_ANNOTATION]} of ${execution}`;
      const key = `${object.kind} ${namespaceOf(object)}/${nameOf(object)} by ${place}`;
      const content = JSON.stringify(getAt(object, 'data') ?? getAt(object, 'spec') ?? null);
      const before = contents.get(key);
      if (before?.content === content) return;
      if (before !== undefined && !isLost(execution, namespaceOf(object), before.at))
        report(`I3: ${key} was ${before.content} and then ${content}`);
      contents.set(key, { content, at: before === undefined ? (begunAt.get(execution) ?? count) : count });
    };
  };
}
