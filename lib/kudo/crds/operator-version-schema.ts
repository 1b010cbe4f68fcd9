import type { JsonObject } from '@/lib/json/json';
import { boolean, list, map, nullable, object, objectReference, string } from './schema-words';

/** `OperatorVersion.spec`. */
export function operatorVersionSpecSchema(): JsonObject {
  return object('', {
    appVersion: string('The version of the application.'),
    connectionString: string('Declared by KUDO, never read.'),
    operator: objectReference('The operator this is a version of.'),
    parameters: list(parameterSchema(), 'What an Instance can set.'),
    plans: nullable(map(planSchema(), 'Plans by name; "deploy" must exist.')),
    tasks: list(taskSchema(), 'What the steps of the plans do.'),
    templates: map(string(), 'Templates by file name.'),
    upgradableFrom: list(objectReference(''), 'Declared by KUDO, never read.'),
    version: string('The version of the operator.'),
  });
}

function parameterSchema(): JsonObject {
  return object('', {
    default: nullable(string('Used when the Instance sets no value; a text whatever the type.')),
    description: string(),
    displayName: string(),
    enum: nullable(list(string(), 'The allowed values.')),
    immutable: boolean('The value cannot be changed once it is set.'),
    name: string('Its name in Instance.spec.parameters and in templates.'),
    required: boolean('Without a default, an Instance must set it.'),
    trigger: string('The plan that a change of the value starts.'),
    'value-type': string('string, integer, number, boolean, array or map; absent is string.'),
  });
}

function planSchema(): JsonObject {
  const step = object('', { name: string(), tasks: nullable(list(string(), 'Names of tasks.')) });
  const phase = object('', { name: string(), strategy: string(STRATEGY), steps: nullable(list(step)) });
  return object('', { phases: nullable(list(phase)), strategy: string(STRATEGY) });
}

const STRATEGY = '"serial" is one after the other; anything else is all at once.';

function taskSchema(): JsonObject {
  const pipe = object('', {
    envFile: string('A file of KEY=VALUE lines; each becomes a key.'),
    file: string('A file; its content becomes one key.'),
    key: string('Its name in .Pipes of templates.'),
    kind: string('Secret or ConfigMap.'),
  });
  return object('', {
    kind: string('Apply, Delete, Toggle, Pipe, KudoOperator or Dummy.'),
    name: string(),
    spec: object('The members of all kinds; a kind reads only its own.', {
      appVersion: string(),
      done: boolean(),
      fatal: boolean(),
      instanceName: string(),
      operatorVersion: string(),
      package: string(),
      parameter: string(),
      parameterFile: string(),
      pipe: nullable(list(pipe)),
      pod: string(),
      resources: nullable(list(string(), 'Names of templates.')),
      wantErr: boolean(),
    }),
  });
}
