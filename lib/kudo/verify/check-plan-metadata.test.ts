import { describe, expect, it } from 'vitest';
import { APPLY, DEPLOY, OPERATOR_HEAD, parameters, uses, verify } from './verify-fixture';

/** A package with one parameter, whose plan `backup` says more. */
const checked = (...lines: string[]) => {
  const said = lines.map((line) => `    ${line}\n`).join('');
  const backup = `  backup:\n    strategy: serial\n    phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [t]}]}]\n${said}`;
  const { all, errors, warnings } = verify({
    operator: OPERATOR_HEAD + APPLY + DEPLOY + backup,
    params: parameters('name: SIZE, default: "3", type: integer'),
    templates: uses('SIZE'),
  });
  return { errors, warnings, places: all.map(({ path, message }) => `${path} ${message}`) };
};

describe('verifyPackage on what plans say beside their phases', () => {
  it('accepts all of it', () => {
    const said = checked(
      'displayName: Back up',
      'description: Writes a backup.',
      'icon: save',
      'parameters: [SIZE]',
      'confirm: Old backups are deleted.',
      'destructive: true',
      "preconditions: [{expression: 'params.SIZE > 1 && has(objects.claim)', message: Set SIZE to 2.}]",
      'concurrency: {group: backups, limit: 2}',
      "objects: [{name: claim, apiVersion: v1, kind: PersistentVolumeClaim, objectName: '{{ .Name }}-backups'}]",
    );
    expect(said).toEqual({ errors: [], warnings: [], places: [] });
  });

  it('wants of a plan that restores or deletes a backup that it asks for its name, and that a deletion is destructive', () => {
    expect(checked('backups: create').places).toEqual([]);
    expect(checked('backups: remove').places).toEqual([
      'operator.yaml:13 "backups" of plan "backup" is "remove"; it must be create, restore, delete',
    ]);
    expect(checked('parameters: [SIZE]', 'backups: delete').places).toEqual([
      'operator.yaml:14 plan "backup" has "backups: delete", but none of its "parameters" names a backup; give that parameter "picker: backup"',
      'operator.yaml:14 plan "backup" has "backups: delete", so it must have "destructive: true"',
    ]);
  });

  it('names a concurrency group without a name, or without a place', () => {
    expect(checked('concurrency: {limit: 0}').places).toEqual([
      'operator.yaml:13 concurrency of plan "backup": "group" must have 1 to 63 characters',
      'operator.yaml:13 concurrency of plan "backup": "limit" must be 1 or more',
    ]);
  });

  it('names an unknown parameter at its line', () => {
    expect(checked('parameters:', '- SIZE', '- COUNT').places).toEqual([
      'operator.yaml:15 parameter "COUNT" of plan "backup" is not defined',
    ]);
  });

  it('names an expression that does not compile, or uses what is not defined', () => {
    expect(
      checked(
        'preconditions:',
        "- {expression: 'params.SIZE >', message: a}",
        "- {expression: 'params.SIZ > 1', message: a}",
        "- {expression: 'has(objects.claim)', message: a}",
        "- {expression: 'name == 1', message: a}",
        '- {expression: "1"}',
        '- {message: a}',
      ).places.map((line) => line.split('\n')[0]),
    ).toEqual([
      expect.stringMatching(/^operator\.yaml:14 precondition of plan "backup": compilation failed: .*Syntax error/),
      'operator.yaml:15 precondition of plan "backup": parameter "SIZ" is not defined',
      'operator.yaml:16 precondition of plan "backup": object "claim" is not one of "objects"',
      expect.stringMatching(/^operator\.yaml:17 .*undeclared reference to 'name'/),
      'operator.yaml:18 precondition of plan "backup": "message" is missing',
      'operator.yaml:18 precondition of plan "backup": the expression must give a bool, not int',
      'operator.yaml:19 precondition of plan "backup": "expression" is missing',
    ]);
  });

  it('names what is missing or wrong of an object', () => {
    expect(
      checked(
        'objects:',
        '- {name: a, apiVersion: v1, kind: Secret, objectName: "{{ .Name"}',
        '- {name: a, kind: Secret, objectName: x}',
        '- {name: my-claim, apiVersion: v1, kind: Secret, objectName: x}',
      ).errors,
    ).toEqual([
      expect.stringMatching(/^object of plan "backup": "objectName" is no template: /),
      'object of plan "backup": "apiVersion" is missing',
      'object of plan "backup": "a" has a duplicate',
      'object of plan "backup": "my-claim" cannot be used in expressions; a name has letters, digits and _',
    ]);
  });

  it('refuses more entries, and longer texts, than are read', () => {
    const { errors } = checked(`parameters: [${'SIZE,'.repeat(17)}]`, `description: ${'x'.repeat(1025)}`);
    expect(errors).toEqual([
      '"description" of plan "backup" is longer than 1024 characters',
      '"parameters" of plan "backup" has 17 entries; at most 16 are read',
    ]);
  });

  it('warns of an unknown icon', () => {
    expect(checked('icon: rocket', 'confirm: The queues stop for a minute.')).toMatchObject({
      errors: [],
      warnings: [
        expect.stringMatching(/^icon "rocket" of plan "backup" is unknown and not shown; known are archive-restore, /),
      ],
    });
  });
});
