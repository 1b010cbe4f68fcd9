import { describe, expect, it } from 'vitest';
import { packageToObjects } from '@/lib/kudo/package/to-objects';
import type { Instance } from '@/lib/kudo/types';
import { formModel } from '@/lib/kudo/view/form-model';
import { pondWithKinds } from '@/test/operators/own-kinds-package';
import { instanceOfResource } from './own-resource';

const { operatorVersion } = packageToObjects(pondWithKinds().package, { namespace: 'n' });

const instance = (annotations: { [name: string]: string }): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'a', namespace: 'n', annotations },
  spec: { operatorVersion: { name: 'pond-0.1.0' }, parameters: { SIZE: '3' } },
});

const lockedFields = (of: Instance) =>
  formModel(operatorVersion, of)
    .flatMap(({ fields }) => fields)
    .filter(({ lockedBecause }) => lockedBecause !== undefined)
    .map(({ name, lockedBecause }) => [name, lockedBecause]);

describe('an Instance of a resource of an own kind', () => {
  it('has mapped parameters that are changed in the resource, and others that are its own', () => {
    expect(lockedFields(instance({}))).toEqual([]);
    const why = 'Pond a sets the value. Change it there.';
    expect(lockedFields(instance({ 'bravo.kudo.dev/owned-by': 'Pond.pond.example.com/a' }))).toEqual([
      ['SIZE', why],
      ['COLOUR', why],
    ]);
  });

  it('is found from its resource, and from a resource that is a run', () => {
    const metadata = { name: 'a', namespace: 'n' };
    const pond = { apiVersion: 'pond.example.com/v1', kind: 'Pond', metadata };
    expect(instanceOfResource(pond)).toBeUndefined();
    expect(instanceOfResource({ ...pond, metadata: { ...metadata, finalizers: ['bravo.kudo.dev/own-kind'] } })).toBe(
      'a',
    );
    const status = { phase: 'Pending', instance: 'b', conditions: [{ type: 'Complete', status: 'False' }] };
    expect(instanceOfResource({ ...pond, kind: 'Feed', status })).toBe('b');
  });
});
