import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { isJsonObject, type JsonObject } from '@/lib/json/json';

/** Keys by which cookies are sealed: the newest seals, all of them open. */
export interface SealKeys {
  /** Newest first; never empty. 32 bytes each. */
  readonly keys: readonly SealKey[];
}

export interface SealKey {
  /** Names the key in the header of a sealed text; says nothing about the key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** What a sealed text is for: one purpose's text never opens as another's. */
export type SealPurpose = 'session' | 'sign-in' | 'view-as' | 'renewal';

/** Encrypts and authenticates JSON with the newest key: a compact JWE (RFC 7516), `dir` with A256GCM. */
export async function seal(value: JsonObject, purpose: SealPurpose, { keys }: SealKeys): Promise<string> {
  const [newest] = keys;
  if (newest === undefined) throw new Error('There is no key for sessions.');
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: newest.id, typ: purpose })
    .encrypt(newest.bytes);
}

/** The JSON of a sealed text; undefined when it was changed, is for another purpose, or its key has gone. */
export async function unseal(text: string, purpose: SealPurpose, { keys }: SealKeys): Promise<JsonObject | undefined> {
  try {
    const { kid } = decodeProtectedHeader(text);
    const key = keys.find(({ id }) => id === kid);
    if (key === undefined) return undefined;
    const { plaintext, protectedHeader } = await compactDecrypt(text, key.bytes, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    if (protectedHeader.typ !== purpose) return undefined;
    const value: unknown = JSON.parse(new TextDecoder().decode(plaintext));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // jose throws for each way in which a text is not one of ours; to the caller they are the same.
    return undefined;
  }
}

/** The ID of the key that a text is sealed with; undefined for any other text. */
export function keyIdOf(text: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(text);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
