import type { ReferenceTrait } from '../parameters/parameter-schema';
import { defined, type Fields } from './fields';
import type { PackageGroup, PackageParameter } from './types';

/** Reads the fields of params.yaml. A parameter is required and mutable unless it says otherwise. */
export function readParams(fields: Fields): { parameters: PackageParameter[]; groups: PackageGroup[] } {
  return { parameters: fields.list('parameters', readParameter), groups: fields.list('groups', readGroup) };
}

function readParameter(fields: Fields): PackageParameter {
  const required = fields.flag('required');
  return {
    name: fields.text('name') ?? '',
    required: required ?? true,
    default: fields.any('default'),
    isAsked: required === true && !fields.has('default'),
    immutable: fields.flag('immutable') ?? false,
    ...defined({
      displayName: fields.text('displayName'),
      description: fields.text('description'),
      trigger: fields.text('trigger'),
      type: fields.text('type'),
      enum: fields.values('enum'),
      group: fields.text('group'),
      hint: fields.text('hint'),
      advanced: fields.flag('advanced'),
      secret: fields.flag('secret'),
      picker: fields.text('picker'),
      reference: fields.child('instance', readReference),
    }),
  };
}

function readReference(fields: Fields): ReferenceTrait {
  return defined({
    operator: fields.text('operator'),
    version: fields.text('version'),
    operatorVersion: fields.text('operatorVersion'),
  });
}

function readGroup(fields: Fields): PackageGroup {
  return {
    name: fields.text('name') ?? '',
    ...defined({
      displayName: fields.text('displayName'),
      description: fields.text('description'),
      priority: fields.whole('prio'),
    }),
  };
}
