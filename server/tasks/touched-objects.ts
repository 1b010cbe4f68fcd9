import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { TouchKind } from '@/lib/kudo/runs/record-format';

/** A place in a plan, and the task there. */
export interface TouchPlace {
  readonly phase: string;
  readonly step: string;
}

export interface Touch extends TouchPlace {
  readonly object: Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly namespace: string; readonly name: string };
  readonly change: TouchKind;
  /** The patch that was sent, without our marks. */
  readonly diff: JsonObject | undefined;
}

/** Patches of one run are kept up to this size together. */
const MAX_DIFF_CHARS = 1_000_000;

/** What the tasks of one run did with objects, in this process. An object that a step applies again keeps what was done first. */
export class TouchedObjects {
  private readonly touches = new Map<string, Touch>();
  private chars = 0;

  note({ phase, step }: TouchPlace, object: KubeObject, change: TouchKind, patch?: JsonObject): void {
    const { apiVersion, kind, metadata } = object;
    const key = JSON.stringify([phase, step, apiVersion, kind, metadata.namespace ?? '', nameOf(object)]);
    const known = this.touches.get(key);
    if (known !== undefined && known.change !== 'unchanged') return;
    const place = { apiVersion, kind, namespace: metadata.namespace ?? '', name: nameOf(object) };
    this.touches.set(key, { phase, step, object: place, change, diff: this.kept(patch) });
  }

  at(phase: string, step: string): Touch[] {
    return [...this.touches.values()].filter((touch) => touch.phase === phase && touch.step === step);
  }

  private kept(patch: JsonObject | undefined): JsonObject | undefined {
    if (patch === undefined) return undefined;
    const diff = withoutMarks(patch);
    this.chars += JSON.stringify(diff).length;
    return this.chars > MAX_DIFF_CHARS ? undefined : diff;
  }
}

/** The guard and the records of what was applied say nothing to a person. */
function withoutMarks(patch: JsonObject): JsonObject {
  const { metadata, ...rest } = patch;
  if (!isJsonObject(metadata)) return rest;
  const { resourceVersion: _, annotations, ...others } = metadata;
  const shown = Object.entries(isJsonObject(annotations) ? annotations : {}).filter(
    ([key]) => key !== LAST_APPLIED_ANNOTATION && !APPLY_MARKS.has(key),
  );
  const kept = { ...others, ...(shown.length === 0 ? {} : { annotations: Object.fromEntries(shown) }) };
  return Object.keys(kept).length === 0 ? rest : { metadata: kept, ...rest };
}
