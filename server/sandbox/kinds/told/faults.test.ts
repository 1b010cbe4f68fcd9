import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { builtinResources } from '@/lib/kube/builtin/builtin';
import type { KubeObject } from '@/lib/kube/object';
import { builtinStrategy } from '../strategies';
import told from './faults.json';

/**
 * Objects that were spoilt in one place, and what a real kube-apiserver (1.20.2) said to them, where 1.36 says the same.
 * A case is: where (keys and positions), what stands there now (`<none>`: nothing, `<x260>`: 260 times x), and the causes: field, reason, text.
 */
const LONG = 'x'.repeat(260);
const CONTEXT = { nowMs: 0, subresource: undefined };

function spoilt(object: unknown, path: string, value: unknown): KubeObject {
  const copy = structuredClone(object);
  const steps = path.split(' ');
  const last = steps.pop() ?? '';
  const owner = steps.reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, copy as never);
  if (value !== '<none>') owner[last] = value === '<x260>' ? LONG : value;
  else if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else delete owner[last];
  return copy as KubeObject;
}

/** The causes in the order of their text; addresses are masked, as versions give different examples. */
function causesOf(object: KubeObject): string[] {
  const [group = '', version = ''] = object.apiVersion?.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion];
  const type = builtinResources.find((each) => each.group === group && each.kind === object.kind);
  const strategy = builtinStrategy({ group, version, kind: type?.kind ?? '' });
  const { object: decoded } = strategy.decode(object);
  decoded.metadata.namespace = 'shop';
  strategy.applyDefaults(decoded);
  strategy.prepareForCreate(decoded, CONTEXT);
  strategy.applyDefaults(decoded);
  return strategy
    .validateCreate(decoded, CONTEXT)
    .map(({ field, type: reason, message }) => `${field} ${reason.replace('FieldValue', '')} ${message}`)
    .map((text) => text.replaceAll(LONG, '<x260>').replace(/(\d{1,3}\.){3}\d{1,3}/g, '<ip>'))
    .sort();
}

describe.each(told.objects)('a spoilt $object.kind $object.metadata.name', ({ object, cases }) => {
  it.each(cases.map((each) => ({ path: each[0], value: each[1], causes: each.slice(2) })))(
    'is refused for $path: $value as a real server refuses it',
    ({ path, value, causes }) => {
      const expected = (causes as [string, string, number][]).map(
        ([field, reason, text]) => `${field} ${reason} ${told.texts[text]}`,
      );
      expect(causesOf(spoilt(object as unknown as JsonObject, String(path), value))).toEqual(expected.sort());
    },
  );
});
