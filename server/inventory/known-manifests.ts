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
 * Finds the manifests that the last plans of one Instance applied, for one reconcile: in the record on the object, in the Secret
 * of a self-healing Instance (read at most once), or by rendering again. A manifest counts when it has the recorded digest;
 * otherwise the record on the object is used, but not that of a Secret, which shows no values.
 */
export class KnownManifests {
  private loaded: Promise<ReadonlyMap<string, KubeObject>> | undefined;

  constructor(
    private readonly sources: ManifestSources,
    private readonly instance: Instance,
    private readonly operatorVersion: OperatorVersion | undefined,
  ) {}

  /** Undefined when the manifest is unknown. */
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
      // Without the right to read Secrets, objects that render to the same digest can still be restored.
      if (error instanceof BravoError && error.reason === 'Forbidden') return new Map();
      throw error;
    }
  }
}

/**
 * The manifest with the annotations of the execution that applied it. Manifests of equal content share a digest, and the stored one
 * may be of another execution, which failed before that step.
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
