import type { ReadObject, ResourceRule, TaskLiveValues } from '../live-values/live-values';
import { defined, type Fields } from './fields';

/** Reads what a task of operator.yaml says beside its spec. What is missing is empty; the verification names it. */
export function readLiveValues(fields: Fields): TaskLiveValues {
  return { reads: fields.list('reads', readReadObject), rules: fields.list('rules', readRule) };
}

export function readReadObject(fields: Fields): ReadObject {
  return {
    id: fields.text('id') ?? '',
    apiVersion: fields.text('apiVersion') ?? 'v1',
    kind: fields.text('kind') ?? '',
    name: fields.text('name') ?? '',
    ...defined({
      namespace: fields.text('namespace'),
      optional: fields.flag('optional') === true ? true : undefined,
      readyWhen: fields.texts('readyWhen'),
      trigger: fields.text('trigger'),
    }),
  };
}

function readRule(fields: Fields): ResourceRule {
  return {
    resource: fields.text('resource') ?? '',
    ...defined({
      kind: fields.text('kind'),
      includeWhen: fields.texts('includeWhen'),
      readyWhen: fields.texts('readyWhen'),
    }),
  };
}
