import { expect, it } from 'vitest';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion } from '@/lib/kudo/types';
import { restorePlanOf } from './backups';

/** Plans with the parameters that each asks for. */
function version(plans: { readonly [plan: string]: readonly string[] }): OperatorVersion {
  const metadata = Object.fromEntries(Object.entries(plans).map(([plan, parameters]) => [plan, { parameters }]));
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'db-1', annotations: { [PLAN_METADATA_ANNOTATION]: JSON.stringify(metadata) } },
    spec: { plans: Object.fromEntries(Object.keys(plans).map((plan) => [plan, { strategy: 'serial', phases: [] }])) },
  };
}

it.each([
  [{ restore: ['RESTORE_FROM'] }, { plan: 'restore', parameter: 'RESTORE_FROM' }],
  [{ restore: ['restore_from', 'FORCE'] }, { plan: 'restore', parameter: 'restore_from' }],
  [{ restore: ['FORCE', 'BACKUP_NAME'] }, { plan: 'restore', parameter: 'BACKUP_NAME' }],
  [{ restore: ['SOURCE'] }, { plan: 'restore', parameter: 'SOURCE' }],
  [{ 'restore-to-time': ['RESTORE_TO_TIME'] }, undefined],
  [
    { 'restore-to-time': ['RESTORE_TO_TIME'], restore: ['RESTORE_FROM'] },
    { plan: 'restore', parameter: 'RESTORE_FROM' },
  ],
  [{ 'restore-full': ['FROM'] }, { plan: 'restore-full', parameter: 'FROM' }],
  [{ restore: [], backup: ['BACKUP_TARGET'] }, undefined],
])('of the plans %j the one that restores a backup is %j', (plans, expected) => {
  expect(restorePlanOf(version(plans))).toEqual(expected);
});

it('without a version there is none', () => {
  expect(restorePlanOf(undefined)).toBeUndefined();
});
