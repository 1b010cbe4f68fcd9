import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { operatorVersionKey } from '@/lib/kudo/names';
import { effectiveValues } from '@/lib/kudo/parameters/parameters';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/** A start with all its inputs: the Instance as it will be, with the values of its sources. */
export interface ApprovedStart {
  readonly plan: string;
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
}

/**
 * SHA-256 in hex over all that a plan is made of: its name, the OperatorVersion with every template, and each effective parameter, by
 * keyed fingerprint, so that the digest tells nothing of secret values. Whatever of them changes, the approval is void.
 */
export function approvalDigest(
  { plan, instance, operatorVersion }: ApprovedStart,
  fingerprints: Fingerprinter,
): string {
  const values = [...effectiveValues(operatorVersion, instance)].sort(([one], [other]) => (one < other ? -1 : 1));
  const version = operatorVersionKey(instance);
  const inputs = [
    'bravo.kudo.dev/approval',
    plan,
    version.namespace,
    version.name,
    hashOf(inOrder(operatorVersion.spec as unknown as JsonValue)),
    values.map(([name, value]) => [name, fingerprints.of(value)]),
  ];
  return hashOf(inputs as JsonValue);
}

function hashOf(value: JsonValue): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(value))));
}

/** With the members of each object in the order of their names: API servers keep none. */
function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value ?? null;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, inOrder(member)]));
}
