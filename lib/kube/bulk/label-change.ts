import type { JsonObject } from '@/lib/json/json';
import { labelKeyProblem, labelValueProblem } from '@/lib/kube/label-syntax';

/** Labels to set, and keys of labels to remove. */
export interface LabelChange {
  readonly set: { readonly [key: string]: string };
  readonly remove: readonly string[];
}

const MOST = 20;
/** Who manages an object, and by what it is found: a change would take it away from its controller. */
const RESERVED = /^((kubernetes|k8s)\.io|.*\.(kubernetes|k8s)\.io|kudo\.dev|.*\.kudo\.dev)\//;

/**
 * Reads what `kubectl label` takes: `key=value` sets, `key-` removes, separated by white space or commas.
 *
 * @returns a sentence about the first thing that is wrong
 */
export function parseLabelChange(text: string): LabelChange | string {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) return 'Enter labels: key=value to set one, key- to remove one.';
  if (words.length > MOST) return `Enter at most ${MOST} labels.`;
  const set = new Map<string, string>();
  const remove = new Set<string>();
  for (const word of words) {
    const at = word.indexOf('=');
    const isRemoval = at < 0 && word.endsWith('-');
    if (at < 0 && !isRemoval) return `“${word}” is no label: write ${word}=value to set it, ${word}- to remove it.`;
    const key = isRemoval ? word.slice(0, -1) : word.slice(0, at);
    const problem = labelKeyProblem(key);
    if (problem !== undefined) return `The key of “${word}” is invalid: ${problem}.`;
    if (set.has(key) || remove.has(key)) return `Label ${key} is named twice.`;
    if (isRemoval) remove.add(key);
    else {
      const value = word.slice(at + 1);
      const wrong = labelValueProblem(value);
      if (wrong !== undefined) return `The value of “${word}” is invalid: ${wrong}.`;
      set.set(key, value);
    }
  }
  return { set: Object.fromEntries(set), remove: [...remove] };
}

/** Keys of a change that Kubernetes or KUDO itself uses. */
export function reservedKeys({ set, remove }: LabelChange): string[] {
  return [...Object.keys(set), ...remove].filter((key) => RESERVED.test(key));
}

/** The merge patch of a change. The API server refuses it with 409 when the object of that name is another one. */
export function labelPatch({ set, remove }: LabelChange, uid: string): JsonObject {
  const labels = { ...set, ...Object.fromEntries(remove.map((key) => [key, null])) };
  return { metadata: { uid, labels } };
}
