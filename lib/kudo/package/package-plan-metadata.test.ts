import { describe, expect, it } from 'vitest';
import { PLAN_METADATA_ANNOTATION } from '../names';
import { planMetadataOf } from '../plan-metadata/plan-metadata';
import { parsePackage } from './parse-package';
import { packageToObjects } from './to-objects';

const files = (plan: string) =>
  new Map([
    [
      'operator.yaml',
      `name: a
operatorVersion: "1.0.0"
tasks: [{name: t, kind: Dummy, spec: {done: true}}]
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: s, tasks: [t]}]}]}
  restore:
${plan}
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: s, tasks: [t]}]}]
`,
    ],
    ['params.yaml', 'parameters: []\n'],
  ]);

const WHOLE = `    displayName: Restore a backup
    description: Replaces the data with those of a backup.
    icon: archive-restore
    parameters: [RESTORE_FROM]
    confirm: The data of the database are replaced.
    destructive: true
    approval: true
    backups: restore
    preconditions:
    - {expression: has(objects.backups), message: Back up first.}
    objects:
    - {name: backups, apiVersion: v1, kind: PersistentVolumeClaim, objectName: "{{ .Name }}-backups"}`;

const METADATA = {
  displayName: 'Restore a backup',
  description: 'Replaces the data with those of a backup.',
  icon: 'archive-restore',
  parameters: ['RESTORE_FROM'],
  confirm: 'The data of the database are replaced.',
  destructive: true,
  approval: true,
  backups: 'restore',
  preconditions: [{ expression: 'has(objects.backups)', message: 'Back up first.' }],
  objects: [{ name: 'backups', apiVersion: 'v1', kind: 'PersistentVolumeClaim', objectName: '{{ .Name }}-backups' }],
};

function versionOf(plan: string) {
  const read = parsePackage(files(plan));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return packageToObjects(read.package, { namespace: 'n' }).operatorVersion;
}

describe('what plans say beside their phases', () => {
  it('becomes one annotation of the OperatorVersion, and nothing in its spec', () => {
    const version = versionOf(WHOLE);
    expect(JSON.parse(version.metadata.annotations?.[PLAN_METADATA_ANNOTATION] ?? '')).toEqual({ restore: METADATA });
    expect(version.spec?.plans?.restore).toEqual({
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 's', tasks: ['t'] }] }],
    });
  });

  it('is read from the annotation again, plan by plan', () => {
    const version = versionOf(WHOLE);
    expect(planMetadataOf(version, 'restore')).toEqual(METADATA);
    expect(planMetadataOf(version, 'deploy')).toEqual({});
    expect(planMetadataOf(version, 'toString')).toEqual({});
    expect(planMetadataOf(undefined, 'restore')).toEqual({});
  });

  it('leaves no annotation when nothing is said', () => {
    expect(versionOf('').metadata).not.toHaveProperty('annotations');
  });

  it('is a problem at its line when it has another type', () => {
    const wrong = '    destructive: maybe\n    parameters: REPLICAS\n    preconditions: [x]\n    displayName: [a]';
    const read = parsePackage(files(wrong));
    expect(read.ok ? [] : read.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'operator.yaml:10 "displayName" must be a string',
      'operator.yaml:8 "parameters" must be a list',
      'operator.yaml:7 "destructive" must be true or false',
      'operator.yaml:9 a member of "preconditions" must be a map',
    ]);
  });

  it('is left out where somebody wrote another shape into the annotation', () => {
    const version = versionOf(WHOLE);
    const written = (text: string) => ({
      ...version,
      metadata: { ...version.metadata, annotations: { [PLAN_METADATA_ANNOTATION]: text } },
    });
    expect(planMetadataOf(written('no JSON'), 'restore')).toEqual({});
    expect(planMetadataOf(written('{"restore": []}'), 'restore')).toEqual({});
    const odd = { destructive: 'yes', icon: 7, parameters: ['A', 1], objects: [{ name: 'x' }], preconditions: [null] };
    expect(planMetadataOf(written(JSON.stringify({ restore: odd })), 'restore')).toEqual({
      parameters: ['A'],
      objects: [],
      preconditions: [],
    });
  });
});
