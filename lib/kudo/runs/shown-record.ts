import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '@/lib/json/canonical-json';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';

/**
 * A record as canonical JSON in which the manifests of each task are replaced by their SHA-256 (`manifestsSha256`): what a snapshot
 * shows, without what would make it large. It is made of the JSON as it is stored, so a later version with more members comes to the same.
 *
 * @param record the JSON in the Secret of the record
 */
export function shownRecordText(record: JsonObject): string {
  const tasks = Array.isArray(record.tasks) ? record.tasks.map(withoutManifests) : record.tasks;
  return canonicalJson({ ...record, tasks });
}

function withoutManifests(task: JsonValue): JsonValue {
  if (!isJsonObject(task)) return task;
  const { manifests, ...others } = task;
  return manifests === undefined ? task : { ...others, manifestsSha256: sha256Of(canonicalJson(manifests)) };
}

/** The SHA-256 of a text in UTF-8, 64 hex digits. */
export function sha256Of(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
