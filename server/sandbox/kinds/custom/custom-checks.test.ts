import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { StrategyContext } from '../strategy';
import { customStrategy } from './custom-strategy';
import { validateEmbedded } from './validate-embedded';
import { validateScale } from './validate-scale';
import { warnOfFinalizers } from './warn-of-finalizers';

const schema: JsonSchema = { properties: { e: { type: 'object', 'x-kubernetes-embedded-resource': true } } };

function told(resource: JsonValue): string[] {
  return validateEmbedded({ e: resource }, schema).map(({ field, message }) => `${field}: ${message}`);
}

describe('an embedded resource', () => {
  it('says what it is', () => {
    expect(told({})).toEqual(['e.apiVersion: Required value', 'e.kind: Required value']);
    expect(told({ apiVersion: 'a/b/c', kind: '' })).toEqual([
      'e.kind: Invalid value: "": must not be empty',
      'e.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
    expect(told({ apiVersion: 'v1', kind: 'pod_' })[0]).toMatch(
      /^e\.kind: Invalid value: "pod_": may have mixed case, but should otherwise match: a DNS-1035 label/,
    );
  });

  it('has metadata as every object has, but needs no name', () => {
    const metadata = { labels: { 'a b': 'c' }, finalizers: ['x'], namespace: 'x_' };
    const fields = validateEmbedded({ e: { apiVersion: 'v1', kind: 'Pod', metadata } }, schema).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(['e.metadata.labels', 'e.metadata.namespace']);
  });
});

it('is not looked into when only the status is written', () => {
  const resource = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: { type: 'string' } } };
  const status = { type: 'object', properties: { e: resource } };
  const openAPIV3Schema = { type: 'object', properties: { status } };
  const version = { name: 'v1', subresources: { status: {} }, schema: { openAPIV3Schema } };
  const crd = { metadata: { name: 'x' }, spec: { versions: [version] } } as unknown as KubeObject;
  const object = { metadata: { name: 'x' }, status: { e: {} } } as unknown as KubeObject;
  const old = { metadata: { name: 'x' } } as unknown as KubeObject;
  const context = { subresource: 'status' } as unknown as StrategyContext;
  expect(customStrategy(crd, 'v1').validateUpdate(object, old, context)).toEqual([]);
});

describe('what is behind the subresource scale', () => {
  const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' };
  const faults = (object: { [key: string]: JsonValue }, part?: 'status') =>
    validateScale(object, scale, part).map(({ field, message }) => `${field}: ${message}`);

  it('is a number, or nothing', () => {
    expect(faults({ spec: { n: 'x' }, status: { s: 1 } })).toEqual([
      '.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected int64',
      '.status.s: Invalid value: "": .status.s accessor error: 1 is of the type int64, expected string',
    ]);
    expect(faults({ spec: {} })).toEqual([]);
  });

  it('is looked at in the status only when the status is written', () => {
    expect(faults({ spec: { n: -1 }, status: { n: -1 } }, 'status')).toEqual([
      '.status.n: Invalid value: -1: should be a non-negative integer',
    ]);
  });
});

describe('finalizers of custom resources', () => {
  function warnings(finalizers: string[], before: string[]): string[] {
    const made = (names: string[]) => ({ metadata: { name: 'x', finalizers: names } }) as unknown as KubeObject;
    const said: string[] = [];
    warnOfFinalizers(made(finalizers), made(before), (text) => said.push(text));
    return said;
  }

  it('are warned of when others may use the name too, and once', () => {
    const why = 'to avoid accidental conflicts with other finalizer writers';
    expect(warnings(['orphan', 'a.b/c', 'plain', 'a.b'], [])).toEqual([
      `metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) ${why}`,
      `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${why}`,
    ]);
    expect(warnings(['plain'], ['plain'])).toEqual([]);
  });
});
