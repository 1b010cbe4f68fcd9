import { getAt, parseJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { fieldWords, type Reversal } from '@/lib/kube/ownership/revert';
import type { FieldPath } from '@/lib/kube/ownership/set-fields';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';

/** The Instance that manages an object, and whether its self-heal is on. */
interface ManagedBy {
  readonly name: string;
  readonly selfHeal: 'on' | 'paused' | 'off' | 'unknown';
}

/**
 * What the Instance that manages an object does with a change of some fields.
 *
 * @param object as it is stored, with the record of what the last plan applied
 */
export function reversalByInstance(
  { name, selfHeal }: ManagedBy,
  object: KubeObject,
  fields: readonly FieldPath[],
): Reversal {
  const noun = `Instance ${name}`;
  const applied = parseJsonObject(object.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '');
  const isSet = applied === undefined || fields.some((path) => getAt(applied, ...path) !== undefined);
  if (fields.length > 0 && !isSet) {
    return { when: 'stays', text: `${noun} manages this object, but its templates do not set ${fieldWords(fields)}.` };
  }
  if (selfHeal === 'on') {
    return { when: 'soon', text: `${noun} manages this object. Its self-heal reverts the change within seconds.` };
  }
  if (selfHeal === 'paused') {
    return {
      when: 'later',
      text: `${noun} manages this object. The change stays until self-heal is resumed, or a plan applies the object.`,
    };
  }
  return { when: 'later', text: `${noun} manages this object. The next plan that applies it reverts the change.` };
}
