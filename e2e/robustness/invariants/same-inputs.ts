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
    const history = new History(memoryOf);
    let count = 0;
    return (fact) => {
      count++;
      if (fact.fact !== 'change' || fact.type === 'DELETED') return;
      const { object } = fact;
      history.note(object, fact.before, count);
      const execution = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION];
      if (execution === undefined || !isRenderedOnce(object)) return;
      const key = keyOf(object, execution);
      const content = JSON.stringify(getAt(object, 'data') ?? getAt(object, 'spec') ?? null);
      const before = contents.get(key);
      if (before?.content === content) return;
      if (before !== undefined && !history.isLost(execution, namespaceOf(object), before.at))
        report(`I3: ${key} was ${before.content} and then ${content}`);
      contents.set(key, { content, at: before === undefined ? (history.begunAt(execution) ?? count) : count });
    };
  };
}

function keyOf(object: KubeObject, execution: string): string {
  const marks = object.metadata.annotations ?? {};
  const place = `${marks[PHASE_ANNOTATION]}.${marks[STEP_ANNOTATION]} of ${execution}`;
  return `${object.kind} ${namespaceOf(object)}/${nameOf(object)} by ${place}`;
}

/** When executions began, OperatorVersions were edited and Secrets were stored, in numbers of facts. */
class History {
  // Read only when it matters: their content is compressed.
  private readonly secrets: { readonly object: KubeObject; readonly at: number }[] = [];
  private readonly editedAt = new Map<string, number>();
  private readonly begun = new Map<string, number>();
  private readonly versions = new Set<string>();

  constructor(private readonly memoryOf: Rules['memoryOf']) {}

  note(object: KubeObject, before: KubeObject | undefined, at: number): void {
    const uid = stringAt(object, 'spec', 'planExecution', 'uid') ?? '';
    if (object.kind === 'Instance' && !this.begun.has(uid)) this.begun.set(uid, at);
    if (object.kind === 'Secret') this.secrets.push({ object, at });
    if (object.kind !== 'OperatorVersion') return;
    const version = `${namespaceOf(object)}/${nameOf(object)}`;
    if (before !== undefined || this.versions.has(version)) this.editedAt.set(namespaceOf(object), at);
    this.versions.add(version);
  }

  begunAt(execution: string): number | undefined {
    return this.begun.get(execution);
  }

  /** True when an edit after `since` could change what the execution renders, because its Secret was not yet stored. */
  isLost(execution: string, namespace: string, since: number): boolean {
    const edited = this.editedAt.get(namespace) ?? -1;
    const stored = this.secrets.find(({ object }) => this.memoryOf(object) === execution)?.at;
    return edited > since && edited < (stored ?? Number.POSITIVE_INFINITY);
  }
}
