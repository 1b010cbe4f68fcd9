import { canonicalJson } from '@/lib/json/canonical-json';
import { objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { PLAN_RUN_API_VERSION, type PlanRun, type PlanRunSpec, type PlanRunStatus } from './plan-run';

/** On a PlanRun: the proof by the controllers' key that a controller created it, for this execution, with this author and reason. */
export const CREATED_ANNOTATION = 'bravo.kudo.dev/created';

/** Names what is signed, so that no other text of the same key can pass for a run. */
const FORMAT = 'bravo.kudo.dev/signed-run/v1';

/** Fields of `spec` that nobody can change. The others steer, also after the end, when they have no effect. */
const IDENTITY = [
  'instanceName',
  'instanceUid',
  'plan',
  'uid',
  'cause',
  'requestedBy',
  'reason',
  'retryOf',
  'undoOf',
] as const satisfies readonly (keyof PlanRunSpec)[];

/**
 * What a controller signs of a run that is over, as canonical JSON: `{format, metadata: {creationTimestamp, name, namespace, uid}, spec,
 * status}`. Left out is what changes after the end: steering, notices, when the Instance went; and the signature. The record is
 * in it by its SHA-256.
 */
export function signedText({ metadata, spec = {}, status = {} }: PlanRun): string {
  const { signature: _signature, notices: _notices, instanceGoneAt: _gone, ...kept } = status;
  return canonicalJson({
    format: FORMAT,
    metadata: {
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
      creationTimestamp: metadata.creationTimestamp,
    },
    spec: identityOf(spec),
    status: kept,
  });
}

function identityOf(spec: PlanRunSpec): PlanRunSpec {
  return Object.fromEntries(IDENTITY.map((field) => [field, spec[field]]));
}

/** The run of such a text, as far as the text says; undefined for another text. */
export function runOfSignedText(text: string): PlanRun | undefined {
  const value = parseJsonObject(text);
  const run = value as unknown as PlanRun;
  if (stringAt(value, 'format') !== FORMAT) return undefined;
  if (stringAt(value, 'metadata', 'uid') === undefined || namespaceOf(run) === '' || nameOf(run) === '')
    return undefined;
  return {
    apiVersion: PLAN_RUN_API_VERSION,
    kind: 'PlanRun',
    metadata: run.metadata,
    spec: objectAt(value, 'spec') as PlanRunSpec,
    status: objectAt(value, 'status') as PlanRunStatus,
  };
}

/** What only the write of the end may say; it is removed from a run that is not over, also when another client wrote it. */
export function withoutEnd(status: PlanRunStatus | undefined): PlanRunStatus {
  const {
    signature: _signature,
    recordName: _name,
    recordBytes: _bytes,
    recordSha256: _sha256,
    ...kept
  } = status ?? {};
  return kept;
}

/** A PlanRun that is about to be created, with the proof that a controller does so. */
export function withCreator(run: PlanRun, fingerprints: Fingerprinter): PlanRun {
  const annotations = { ...run.metadata.annotations, [CREATED_ANNOTATION]: creationProof(run, fingerprints) };
  return { ...run, metadata: { ...run.metadata, annotations } };
}

function creationProof({ metadata, spec = {} }: PlanRun, fingerprints: Fingerprinter): string {
  const { namespace, name } = metadata;
  return fingerprints.signatureOf(`run is created ${canonicalJson({ namespace, name, spec: identityOf(spec) })}`);
}

/**
 * False for a run that must not be signed: somebody else may have created it, and named whom they liked as its author, or may have
 * written its record.
 *
 * @param status its end
 */
export function maySign(run: PlanRun, status: PlanRunStatus, fingerprints: Fingerprinter): boolean {
  if (status.recordName !== undefined && status.recordSha256 === undefined) return false;
  return run.metadata.annotations?.[CREATED_ANNOTATION] === creationProof(run, fingerprints);
}
