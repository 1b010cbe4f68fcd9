import { BravoError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import type { InventoryEntry, InventoryRun } from '@/lib/kudo/inventory/inventory';
import { hasDigest } from '@/lib/kudo/inventory/manifest-digest';
import { isSecret } from '@/lib/kudo/inventory/secret-data';
import { EXECUTION_UID_ANNOTATION, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { loadKeptObjects } from './kept-objects';
import { type RenderAgainContext, renderAgain } from './render-again';

export type ManifestSources = Omit<RenderAgainContext, 'instance' | 'operatorVersion'>;

/**
 * Where what the last plan left is found, for one look at one Instance: the record on the object, the Secret of a
 * self-healing Instance (read at most once), the same rendering again. Each counts when it has the recorded digest; without
 * any, the record on the object is the best there is; for a Secret there is none then.
 */
export class KnownManifests {
  private loaded: Promise<ReadonlyMap<string, KubeObject>> | undefined;

  constructor(
    private readonly sources: ManifestSources,
    private readonly instance: Instance,
    private readonly operatorVersion: OperatorVersion | undefined,
  ) {}

  /** Undefined when nothing is known of it. */
  async find(entry: InventoryEntry, run: InventoryRun, live: KubeObject | undefined): Promise<KubeObject | undefined> {
    const recorded = live === undefined ? undefined : appliedManifest(live);
    const { instance, operatorVersion, sources } = this;
    if (recorded !== undefined && hasDigest(recorded, entry.digest, sources.fingerprints)) return recorded;
    this.loaded ??= this.load();
    const known = (await this.loaded).get(entry.digest);
    if (known !== undefined) return markedAs(known, entry, run);
    // The record of a Secret shows no values, and those of the live one may be anybody's.
    const best = recorded === undefined || isSecret(recorded) ? undefined : recorded;
    if (operatorVersion === undefined) return best;
    return (await renderAgain(entry, run, { ...sources, instance, operatorVersion })) ?? best;
  }

  private async load(): Promise<ReadonlyMap<string, KubeObject>> {
    try {
      return await loadKeptObjects(this.sources.api, this.instance, this.sources.log);
    } catch (error) {
      // Who may not read Secrets may still restore what can be rendered again.
      if (error instanceof BravoError && error.reason === 'Forbidden') return new Map();
      throw error;
    }
  }
}

/**
 * With the marks of the execution that left it. One digest stands for all manifests of the same content, and the one that was
 * kept may be of another execution, which failed before it came to that step.
 */
function markedAs(manifest: KubeObject, { phase, step }: InventoryEntry, { plan, uid }: InventoryRun): KubeObject {
  const { annotations } = manifest.metadata;
  if (annotations?.[EXECUTION_UID_ANNOTATION] === undefined) return manifest;
  const marks = {
    [PLAN_ANNOTATION]: plan,
    [PHASE_ANNOTATION]: phase,
    [STEP_ANNOTATION]: step,
    [EXECUTION_UID_ANNOTATION]: uid,
  };
  return { ...manifest, metadata: { ...manifest.metadata, annotations: { ...annotations, ...marks } } };
}
