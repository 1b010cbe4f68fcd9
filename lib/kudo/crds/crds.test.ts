import { describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { kudoCrds } from './crds';

describe('the three custom resource definitions', () => {
  it('CRD-01 are namespaced kinds of kudo.dev/v1beta1 without short names, and only instances have a status subresource', () => {
    for (const crd of kudoCrds()) {
      expect(crd.metadata.name).toBe(`${getAt(crd.spec, 'names', 'plural')}.kudo.dev`);
      expect(getAt(crd.spec, 'scope')).toBe('Namespaced');
      expect(getAt(crd.spec, 'names', 'shortNames')).toBeUndefined();
      expect(getAt(crd.spec, 'versions', 0)).toMatchObject({ name: 'v1beta1', served: true, storage: true });
      const isInstance = crd.metadata.name === 'instances.kudo.dev';
      expect(getAt(crd.spec, 'versions', 0, 'subresources')).toEqual(isInstance ? { status: {} } : undefined);
    }
  });

  it('CRD-02 know their fields, so that anything else is pruned', () => {
    const [, , instances] = kudoCrds();
    const spec = getAt(instances?.spec, 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties');
    expect(Object.keys(spec as object)).toEqual(['operatorVersion', 'parameters', 'parametersFrom', 'planExecution']);
    const reference = getAt(spec, 'operatorVersion', 'properties');
    expect(reference).not.toHaveProperty('type');
    expect(JSON.stringify(kudoCrds())).not.toContain('preserve-unknown-fields');
  });

  it('require nothing but the key of a map and what an upstream condition requires', () => {
    const required: string[] = [];
    JSON.stringify(kudoCrds(), (key, value) => {
      if (key === 'required' && Array.isArray(value)) required.push(...value);
      return value;
    });
    expect(required).toEqual(['name', 'lastTransitionTime', 'message', 'reason', 'status', 'type']);
  });
});
