import { expect, it } from 'vitest';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { readSecretTexts } from './secret-texts';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'db-1' },
  spec: { parameters: [{ name: 'WORD' }, { name: 'PLAIN' }] },
};

function instance(parameters: { [name: string]: string }, fingerprints: { [name: string]: string }): Instance {
  const record = JSON.stringify({ format: 2, operatorVersion: { name: 'db-1' }, parameters: {}, fingerprints });
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db', annotations: { [ACTED_UPON_ANNOTATION]: record } },
    spec: {
      parameters,
      parametersFrom: [
        { name: 'WORD', secretKeyRef: { name: 's', key: 'k', optional: true } },
        { name: 'PLAIN', configMapKeyRef: { name: 'c', key: 'k' } },
      ],
    },
  };
}

it('the values that parameters get from Secrets are secret, whatever the operator says; those from ConfigMaps are not', () => {
  const texts = readSecretTexts(instance({ WORD: 'hunter2', PLAIN: 'shown' }, { WORD: 'f' }), version);
  expect([...(texts ?? [])]).toEqual(['hunter2']);
});

it('nobody can tell which texts are secret when a value is not known that the run had', () => {
  expect(readSecretTexts(instance({}, { WORD: 'f' }), version)).toBeUndefined();
  expect(readSecretTexts(instance({}, {}), version)).toEqual(new Set());
});
