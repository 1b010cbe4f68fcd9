import type { KubeObject } from '@/lib/kube/object';

/**
 * Stands on shown Instances beside the note of what the controller acted upon, which is masked: when the execution that runs began.
 * `<uid> <RFC 3339>`. It is never stored.
 */
export const START_MARK_ANNOTATION = 'bravo.kudo.dev/shown-start';

/** When the execution of that uid began (RFC 3339); undefined when the Instance, as it is shown, does not tell. */
export function shownStart(object: Pick<KubeObject, 'metadata'>, uid: string | undefined): string | undefined {
  const [of, at] = (object.metadata.annotations?.[START_MARK_ANNOTATION] ?? '').split(' ');
  return uid !== undefined && of === uid && at !== '' ? at : undefined;
}
