import { keyStream } from '@/lib/random/key-stream';
import { type Random, seededRandom, systemRandom } from '@/lib/random/random';
import { GoError } from '@/lib/template/template-error';

/**
 * Where the random bytes of a rendering come from. Plain data, so that a worker thread can be given it.
 *
 * - `run-key`: the stream that the secret key of a run gives for a purpose; the same bytes at every retry.
 * - `system`: the operating system; other bytes each time. For previews.
 * - `none`: nowhere; a template that asks for random bytes fails. For runs that are over, whose key was deleted.
 * - `legacy`: what versions before 0.2 drew from public text. Only for runs that such a version began, which end as they
 *   began, and to find the Secrets that such a run has made. Nothing else may use it: whoever knows the text knows the bytes.
 */
export type Randomness =
  | { readonly from: 'run-key'; readonly key: Uint8Array; readonly purpose: string }
  | { readonly from: 'system' }
  | { readonly from: 'none' }
  | { readonly from: 'legacy'; readonly text: string };

/** A source of random bytes that says whether it was asked. */
export interface CountedRandom extends Random {
  wasAsked(): boolean;
}

/** The source that a {@link Randomness} names, from its beginning. */
export function randomFrom(randomness: Randomness): CountedRandom {
  const source = parameterSourceOf(randomness);
  let asked = false;
  return {
    bytes(length) {
      asked = true;
      return source.bytes(length);
    },
    wasAsked: () => asked,
  };
}

function parameterSourceOf(randomness: Randomness): Random {
  switch (randomness.from) {
    case 'run-key':
      return keyStream(randomness.key, randomness.purpose);
    case 'system':
      return systemRandom;
    case 'none':
      return NONE;
    case 'legacy':
      return seededRandom(randomness.text);
  }
}

const NONE: Random = {
  bytes() {
    throw new GoError('the random bytes of a run that is over are not known any more');
  },
};
