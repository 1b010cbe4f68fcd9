import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import {
  EXECUTION_UID_ANNOTATION,
  LAST_APPLIED_ANNOTATION,
  PHASE_ANNOTATION,
  PLAN_ANNOTATION,
  STEP_ANNOTATION,
} from '@/lib/kudo/names';
import { type Fingerprinter, isFingerprint } from '@/lib/kudo/secrets/fingerprint';
import { isSecret } from './secret-data';

/** Annotations that say which plan applied an object last, and with what: they are no part of what it is to be. */
export const APPLY_MARKS: ReadonlySet<string> = new Set([
  PLAN_ANNOTATION,
  PHASE_ANNOTATION,
  STEP_ANNOTATION,
  EXECUTION_UID_ANNOTATION,
  LAST_APPLIED_ANNOTATION,
]);

const DIGEST_BYTES = 8;

/**
 * The digest of a manifest for a record that others can read: the same for manifests of the same content, whatever the order of
 * keys and whichever plan applied them. 16 hex digits of a plain hash; for a Secret a keyed fingerprint, because the plain hash
 * of a short password can be guessed.
 */
export function manifestDigest(manifest: KubeObject, fingerprints: Pick<Fingerprinter, 'of'>): string {
  return isSecret(manifest) ? fingerprints.of(contentText(manifest)) : contentDigest(manifest);
}

/** 16 hex digits of a plain hash of the content; not for records. */
export function contentDigest(manifest: KubeObject): string {
  return bytesToHex(sha256(utf8ToBytes(contentText(manifest))).subarray(0, DIGEST_BYTES));
}

/** True when a recorded digest is that of this manifest. Records of versions before 0.2 hold plain hashes of Secrets too. */
export function hasDigest(manifest: KubeObject, digest: string, fingerprints: Pick<Fingerprinter, 'of'>): boolean {
  if (digest === '') return false;
  return digest === (isFingerprint(digest) ? fingerprints.of(contentText(manifest)) : contentDigest(manifest));
}

function contentText(manifest: KubeObject): string {
  const annotations = Object.fromEntries(
    Object.entries(manifest.metadata.annotations ?? {}).filter(([name]) => !APPLY_MARKS.has(name)),
  );
  const { status: _, ...rest } = manifest;
  const plain = { ...rest, metadata: { ...manifest.metadata, annotations } } as unknown as JsonObject;
  return JSON.stringify(sorted(plain));
}

/** With keys in order, and without nulls and empty maps. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === null || member === undefined) continue;
    const inner = sorted(member);
    if (isJsonObject(inner) && Object.keys(inner).length === 0) continue;
    entries.push([key, inner]);
  }
  return Object.fromEntries(entries);
}
