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

/** Annotations that say which plan applied an object last, and with what: they are no part of what it is to be. */
export const APPLY_MARKS: ReadonlySet<string> = new Set([
  PLAN_ANNOTATION,
  PHASE_ANNOTATION,
  STEP_ANNOTATION,
  EXECUTION_UID_ANNOTATION,
  LAST_APPLIED_ANNOTATION,
]);

const DIGEST_BYTES = 8;

/** 16 hex digits that are the same for manifests that say the same, whatever the order of keys and whichever plan applied them. */
export function manifestDigest(manifest: KubeObject): string {
  const annotations = Object.fromEntries(
    Object.entries(manifest.metadata.annotations ?? {}).filter(([name]) => !APPLY_MARKS.has(name)),
  );
  const { status: _, ...rest } = manifest;
  const plain = { ...rest, metadata: { ...manifest.metadata, annotations } } as unknown as JsonObject;
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(sorted(plain)))).subarray(0, DIGEST_BYTES));
}

/** With keys in order, and without what is not there anyway: nulls, and maps of nothing. */
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
