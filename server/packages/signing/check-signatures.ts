import { type KeyObject, sign, verify } from 'node:crypto';
import { signatureRefused, signedDigest } from '@/lib/kudo/signatures/simple-signing';
import { parseManifest } from '@/lib/oci/manifest';
import { packageLayer } from '@/lib/oci/package-manifest';
import { digestOf } from '../oci/digest';
import { signingKeyId } from './keys';

/** Which packages a repository may give: only those that one of these keys has signed. */
export interface SignaturePolicy {
  /** The repository that has the policy, for messages. */
  readonly owner: string;
  readonly keys: readonly KeyObject[];
}

/** What is known of the signatures of an archive. */
export interface SignatureEvidence {
  /** Signatures of the archive itself, in base64 (`cosign sign-blob`). */
  readonly detached: readonly string[];
  /** Signatures of the manifest that names the archive (`cosign sign`). */
  readonly manifest?: {
    readonly text: string;
    readonly signatures: readonly { readonly payload: string; readonly signature: string }[];
  };
}

/** The signature of bytes, ASN.1 DER in base64: ECDSA with SHA-256. */
export function signBytes(key: KeyObject, bytes: Uint8Array | string): string {
  return sign('sha256', typeof bytes === 'string' ? Buffer.from(bytes) : bytes, key).toString('base64');
}

/**
 * Checks an archive against a policy: one signature by one of its keys is enough.
 *
 * @returns the id of the key that signed
 * @throws TerminalError `SignatureRefused` that says whether signatures are missing, or by another key or of other bytes
 */
export function checkSignatures(
  archive: Uint8Array,
  place: string,
  evidence: SignatureEvidence,
  policy: SignaturePolicy,
): string {
  const { detached, manifest } = evidence;
  const covering = manifest === undefined || !names(manifest.text, archive) ? [] : manifest.signatures;
  for (const key of policy.keys) {
    const isSigned =
      detached.some((signature) => isBy(key, archive, signature)) ||
      covering.some(
        ({ payload, signature }) =>
          signedDigest(payload) === digestOf(manifest?.text ?? '') && isBy(key, Buffer.from(payload), signature),
      );
    if (isSigned) return signingKeyId(key);
  }
  const count = detached.length + (manifest?.signatures.length ?? 0);
  const ids = policy.keys.map((key) => signingKeyId(key).slice(0, 12)).join(', ');
  if (count === 0)
    throw signatureRefused(place, `it is not signed, and ${policy.owner} requires a signature by key ${ids}.`);
  const has = count === 1 ? 'its signature is' : `its ${count} signatures are`;
  throw signatureRefused(
    place,
    `${has} not by key ${ids} over these bytes: another key signed it, or the package was changed after it was signed.`,
  );
}

/** True when a manifest of a package names the archive. */
function names(manifest: string, archive: Uint8Array): boolean {
  try {
    return packageLayer(parseManifest(manifest, 'manifest'), 'manifest').digest === digestOf(archive);
  } catch {
    return false;
  }
}

function isBy(key: KeyObject, bytes: Uint8Array, signature: string): boolean {
  return verify('sha256', bytes, key, Buffer.from(signature, 'base64'));
}
