import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { ownSecretTexts, secretTextsOf } from './secret-texts';

const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'db-1.0' },
  spec: { parameters: [{ name: 'TOKEN' }, { name: 'SIZE' }] },
};
const instance: Instance = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'db' },
  spec: { parameters: { TOKEN: 'abcdef', SIZE: '3' } },
};
const sourced: Instance = {
  ...instance,
  spec: { ...instance.spec, parametersFrom: [{ name: 'PASSWORD', secretKeyRef: { name: 'db', key: 'pw' } }] },
};

describe('texts that no message may show', () => {
  it('are the values of secret parameters', () => {
    expect(secretTextsOf(instance, version)).toEqual(new Set(['abcdef']));
  });

  it('may be any text when a value is in a Secret', () => {
    expect(secretTextsOf(sourced, version)).toBe('any text');
  });

  it('still include the values of the Instance itself then', () => {
    expect(ownSecretTexts(sourced, version)).toEqual(new Set(['abcdef']));
  });
});
