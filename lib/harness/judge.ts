import type { JsonValue } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { mismatchOf } from './mismatch';
import { describeKind, type SourceObject } from './source-object';
import { firstDifference } from './subset';

/** How many candidates of an expectation without a name are explained. */
const EXPLAINED = 10;

/**
 * What is wrong with an expectation, given the objects that it may mean (all of its kind, or the one of its name); empty when one
 * of them matches (KUTTL step/step.go CheckResource).
 */
export function judgeExpectation(source: SourceObject, candidates: readonly KubeObject[]): string[] {
  if (candidates.length === 0) {
    return [`${source.file}:${source.lineOf([])}: no resources matched of kind: ${describeKind(source.object)}`];
  }
  const mismatches = [];
  for (const candidate of candidates) {
    const mismatch = mismatchOf(source, candidate);
    if (mismatch === undefined) return [];
    mismatches.push(mismatch);
  }
  const shown = mismatches.slice(0, EXPLAINED).flatMap(({ place, diff, sentence }) => [`${place}\n${diff}`, sentence]);
  const more = mismatches.length - EXPLAINED;
  return more > 0 ? [...shown, `${more} more of kind ${describeKind(source.object)} do not match`] : shown;
}

/** The error when an object matches that must not (KUTTL step/step.go CheckResourceAbsent); undefined when none does. */
export function judgeForbidden(source: SourceObject, candidates: readonly KubeObject[]): string | undefined {
  const matching = candidates.filter(
    (candidate) =>
      firstDifference(source.object as unknown as JsonValue, candidate as unknown as JsonValue) === undefined,
  );
  const [first, ...others] = matching;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} other resources)`;
  return `${source.file}:${source.lineOf([])}: resource ${describeKind(source.object)} ${nameOf(first)}${more} matched error assertion`;
}
