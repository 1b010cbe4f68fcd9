import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance, InstanceSpec, OperatorVersion, ParameterSource } from '@/lib/kudo/types';
import type { SourceRead, SourceReads } from './source-values';

export const RECORDED_AT = '2026-01-01T00:00:00Z';

export const operatorVersion: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v1', namespace: 'n' },
  spec: {
    parameters: [
      { name: 'PASSWORD', trigger: 'password' },
      { name: 'HOST' },
      { name: 'SIZE', 'value-type': 'integer', trigger: 'update' },
      { name: 'FIXED_TOKEN', immutable: true, default: 'x' },
    ],
    plans: { deploy: {}, update: {}, password: {}, cleanup: {} },
  },
};

export const fromSecret = (name: string, key = name, object = 'db', optional?: boolean): ParameterSource => ({
  name,
  secretKeyRef: { name: object, key, ...(optional === undefined ? {} : { optional }) },
});

export const fromConfigMap = (name: string, key = name, object = 'settings'): ParameterSource => ({
  name,
  configMapKeyRef: { name: object, key },
});

export const absent = (problem = 'Secret db: the key PASSWORD does not exist'): SourceRead => ({
  problem,
  isAbsent: true,
});

/** Texts of sources → values, or what is wrong with them. */
export function reads(found: { [source: string]: string | SourceRead }): SourceReads {
  return new Map(
    Object.entries(found).map(([source, read]) => [source, typeof read === 'string' ? { value: read } : read]),
  );
}

const RECORD = { fingerprints: TEST_FINGERPRINTS, operatorVersion };

/** An Instance that rests; its record is that of `seen` (absent: of the spec itself) with `was` in the sources. */
export function resting(spec: InstanceSpec, record: string, rest: Partial<Instance> = {}): Instance {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {
      name: 'i',
      namespace: 'n',
      uid: 'u',
      annotations: { 'bravo.kudo.dev/acted-upon': record },
      finalizers: ['kudo.dev.instance.cleanup'],
    },
    spec: { operatorVersion: { name: 'v1' }, planExecution: {}, ...spec },
    status: { planStatus: { deploy: { name: 'deploy', status: 'COMPLETE', uid: 'd0' } } },
    ...rest,
  };
}

/** The record of a spec whose values are complete. */
export function completeRecord(instance: Pick<Instance, 'spec'>): string {
  const spec = { operatorVersion: { name: 'v1' }, ...instance.spec };
  return formatActedUpon({ spec }, RECORD);
}
