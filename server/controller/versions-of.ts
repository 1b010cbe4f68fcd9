import { operatorVersionKey } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { findOperatorVersion, type ReconcilerDeps, readOperatorVersion } from './reconciler-deps';
import type { ReadMoment } from './version-reads';

/** The OperatorVersions of an Instance; undefined for one that does not exist. */
export interface Versions {
  readonly operatorVersion: OperatorVersion | undefined;
  /** The one that the last plan acted upon: another one while an upgrade begins. */
  readonly actedUponVersion: OperatorVersion | undefined;
}

/** As the watch shows them. */
export function watchedVersions(deps: ReconcilerDeps, instance: Instance): Promise<Versions> {
  return versionsOf(instance, (place) => findOperatorVersion(deps, place));
}

/**
 * As they are when a plan starts: who edits a template and then starts a plan must not get the old one, however late the watch is.
 *
 * @param about when the Instance arrived, and what its sources hold: a source may have been changed since, after the edit of a
 *   template
 */
export function currentVersions(
  deps: ReconcilerDeps,
  instance: Instance,
  about: { readonly arrival: ReadMoment; readonly reads: SourceReads },
): Promise<Versions> {
  const { versionReads } = deps.watches;
  const since = about.reads.size === 0 ? about.arrival : versionReads.now;
  return versionsOf(instance, (place) => versionReads.current(place, since, () => readOperatorVersion(deps, place)));
}

type FindVersion = (place: { namespace: string; name: string }) => Promise<OperatorVersion | undefined>;

async function versionsOf(instance: Instance, find: FindVersion): Promise<Versions> {
  const now = operatorVersionKey(instance);
  const operatorVersion = await find(now);
  const seen = actedUpon(instance);
  const was =
    seen === undefined ? now : operatorVersionKey({ ...instance, spec: { operatorVersion: seen.operatorVersion } });
  const isSame = was.name === now.name && was.namespace === now.namespace;
  const actedUponVersion = isSame ? operatorVersion : await find(was);
  return { operatorVersion, actedUponVersion };
}
