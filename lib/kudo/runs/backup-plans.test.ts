import { expect, it } from 'vitest';
import { PARAMETER_SCHEMA_ANNOTATION, PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { PlanMetadata } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';
import { deletePlanOf, restorePlanOf } from './backup-plans';

/** Plans with the parameters that each asks for. */
function version(plans: { readonly [plan: string]: readonly string[] }): OperatorVersion {
  return saying(Object.fromEntries(Object.entries(plans).map(([plan, parameters]) => [plan, { parameters }])));
}

/** Plans with what each says, and the parameters that have a picker of backups. */
function saying(metadata: { readonly [plan: string]: PlanMetadata }, picked: readonly string[] = []): OperatorVersion {
  const parameters = Object.fromEntries(picked.map((name) => [name, { picker: 'backup' }]));
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: {
      name: 'db-1',
      annotations: {
        [PLAN_METADATA_ANNOTATION]: JSON.stringify(metadata),
        [PARAMETER_SCHEMA_ANNOTATION]: JSON.stringify({ groups: [], parameters }),
      },
    },
    spec: {
      plans: Object.fromEntries(Object.keys(metadata).map((plan) => [plan, { strategy: 'serial', phases: [] }])),
    },
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

it('a plan that says that it restores goes before others, whatever their names are', () => {
  const restore: PlanMetadata = { parameters: ['RESTORE_FROM'] };
  const load: PlanMetadata = { parameters: ['FORCE', 'WHICH'], backups: 'restore' };
  expect(restorePlanOf(saying({ restore, load }, ['WHICH']))).toEqual({ plan: 'load', parameter: 'WHICH' });
  expect(restorePlanOf(saying({ restore, load }))).toEqual({ plan: 'restore', parameter: 'RESTORE_FROM' });
});

it('a plan that says that it deletes backups is the one that deletes them, and is never taken for the one that restores', () => {
  const wipe: PlanMetadata = { parameters: ['DELETE_BACKUP', 'OTHER'], backups: 'delete' };
  expect(deletePlanOf(saying({ 'restore-space': wipe }, ['OTHER']))).toEqual({
    plan: 'restore-space',
    parameter: 'OTHER',
  });
  expect(deletePlanOf(saying({ wipe }))).toEqual({ plan: 'wipe', parameter: 'DELETE_BACKUP' });
  expect(restorePlanOf(saying({ 'restore-space': wipe }))).toBeUndefined();
  expect(restorePlanOf(saying({ restore: { parameters: ['BACKUP'], backups: 'create' } }))).toBeUndefined();
});

it('no plan is taken for one that deletes backups because of its name, or without a parameter that names a backup', () => {
  expect(deletePlanOf(version({ 'delete-backup': ['DELETE_BACKUP'] }))).toBeUndefined();
  expect(deletePlanOf(saying({ drop: { parameters: ['FORCE'], backups: 'delete' } }))).toBeUndefined();
  expect(deletePlanOf(saying({ drop: { parameters: ['BACKUP'], backups: 'destroy' } }))).toBeUndefined();
});

it('without a version there is none', () => {
  expect(restorePlanOf(undefined)).toBeUndefined();
  expect(deletePlanOf(undefined)).toBeUndefined();
});
