import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';

/** Time, randomness and keys of a rendering. The caller passes them in, so that a run renders the same bytes every time. */
export interface RenderEnvironment {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** Required for templates that generate RSA or DSA keys or sign with RSA, unless `hasDraftKeys` is set. */
  readonly primeKeys?: PrimeKeys;
  /**
   * For previews, verification and simulations, never for what is applied: every generated key is on the curve P-256, because RSA
   * and DSA keys take up to seconds.
   */
  readonly hasDraftKeys?: boolean;
}

/**
 * RSA and DSA, which the server implements with node:crypto (server/tasks/prime-keys). A key is derived from the random source
 * alone: the same bytes give the same key.
 */
export interface PrimeKeys {
  /** An RSAPrivateKey (PKCS #1) in DER with the exponent 65537. */
  generateRsa(bits: number, random: Random): Uint8Array;
  /** A DSAPrivateKey as OpenSSL defines it, in DER, with L = 2048 and N = 256. */
  generateDsa(random: Random): Uint8Array;
  /** RSASSA-PKCS1-v1_5 with SHA-256. @throws Error for a key that OpenSSL cannot use */
  signWithRsa(rsaPrivateKey: Uint8Array, message: Uint8Array): Uint8Array;
}

export interface RenderBudget {
  readonly steps: number;
  readonly depth: number;
  readonly outputBytes: number;
}

export interface RenderOptions {
  readonly environment: RenderEnvironment;
  /** Defaults from lib/limits. */
  readonly budget?: Partial<RenderBudget>;
  /** `sprig3` (default, Sprig 3.3 on Go 1.24) or `kudo019` (KUDO 0.19's pinned libraries). */
  readonly compatibility?: 'sprig3' | 'kudo019';
  /** What a key that a map does not have gives: an error, as in KUDO (default), or nothing, as in Helm. */
  readonly missingKey?: 'error' | 'zero';
  /** The first cell holds the byte offset of the running function, for the code that terminates the thread. */
  readonly progress?: Int32Array;
}

/** Where a template failed; `line` counts from 1, `column` (bytes) from 0, -1 when Go has none. */
export interface TemplatePlace {
  readonly template: string;
  readonly line: number;
  readonly column: number;
}
