import { md5 } from '@noble/hashes/legacy.js';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Enhancement } from './enhance';
import { RenderError } from './render-error';

/** Kubernetes' own letters for generated names. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Gives an object with `generateName` a name of its own for this execution and step, so that a second reconcile finds what
 * the first one made (KUDO made another one each time); the next execution makes another one. The argument is changed.
 * @throws RenderError for an object without any name
 */
export function nameOnce(object: KubeObject, { uid, plan, phase, step }: Enhancement): void {
  if (nameOf(object) !== '') return;
  const { generateName = '' } = object.metadata;
  if (generateName === '') throw new RenderError(`a template gives a ${object.kind} without a name; say metadata.name`);
  const digest = md5(new TextEncoder().encode(JSON.stringify([uid, plan, phase, step, object])));
  const suffix = Array.from(digest.slice(0, 5), (byte) => LETTERS[byte % LETTERS.length]).join('');
  object.metadata.name = generateName + suffix;
}
