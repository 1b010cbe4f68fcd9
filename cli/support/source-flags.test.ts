import { describe, expect, it } from 'vitest';
import type { Instance } from '@/lib/kudo/types';
import { readSourceFlags, refuseSourced } from './source-flags';

describe('--parameter-from', () => {
  it('names a key of a secret or a configmap', () => {
    const flags = { parameterFrom: ['PASSWORD=secret/db/pw', 'HOST=configmap/settings/host.name'] };
    expect(readSourceFlags(flags, {})).toEqual({
      PASSWORD: { name: 'PASSWORD', secretKeyRef: { name: 'db', key: 'pw' } },
      HOST: { name: 'HOST', configMapKeyRef: { name: 'settings', key: 'host.name' } },
    });
    expect(readSourceFlags({}, {})).toEqual({});
  });

  it('names every mistake at once', () => {
    const flags = { parameterFrom: ['PASSWORD', 'A=pod/x/y', 'B=secret/x', 'C=secret/x/y'] };
    expect(() => readSourceFlags(flags, { C: '1' })).toThrow(
      /"PASSWORD" is not .*, "A=pod\/x\/y" is not .*, "B=secret\/x" is not .*, parameter "C" has both/,
    );
  });

  it('says where the value is of a parameter that has a source', () => {
    const instance: Instance = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'i', namespace: 'n' },
      spec: { parametersFrom: [{ name: 'PASSWORD', secretKeyRef: { name: 'db', key: 'pw' } }] },
    };
    expect(() => refuseSourced(instance, { OTHER: 'x' })).not.toThrow();
    const problem = /is in Secret db, key pw.*kubectl patch secret db -n n .*"stringData":\{"pw":"VALUE"\}.*--inline/;
    expect(() => refuseSourced(instance, { PASSWORD: 'hunter2' })).toThrow(problem);
    expect(() => refuseSourced(instance, { PASSWORD: 'hunter2' })).not.toThrow(/hunter2/);
  });
});
