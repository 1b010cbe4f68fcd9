import type { RecordContext } from '@/lib/kudo/plan/acted-upon';
import { fingerprinter } from './fingerprint';

/** For tests. */
export const TEST_FINGERPRINTS = fingerprinter(new Uint8Array(32).fill(5));

/** For records without secret parameters: an OperatorVersion that has none. */
export const TEST_RECORD: RecordContext = {
  fingerprints: TEST_FINGERPRINTS,
  operatorVersion: { apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', metadata: { name: 'any' } },
};
