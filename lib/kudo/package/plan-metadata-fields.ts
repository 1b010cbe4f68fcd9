import type { PlanMetadata, PlanObject, Precondition } from '../plan-metadata/plan-metadata';
import { defined, type Fields } from './fields';

/** Reads what a plan of operator.yaml says beside its phases. Empty when it says nothing. */
export function readPlanMetadata(fields: Fields): PlanMetadata {
  return defined({
    displayName: fields.text('displayName'),
    description: fields.text('description'),
    icon: fields.text('icon'),
    parameters: fields.texts('parameters'),
    confirm: fields.text('confirm'),
    destructive: fields.flag('destructive'),
    approval: fields.flag('approval'),
    preconditions: listOf(fields, 'preconditions', readPrecondition),
    objects: listOf(fields, 'objects', readPlanObject),
    concurrency: fields.child('concurrency', (member) => ({
      group: member.text('group') ?? '',
      limit: member.whole('limit') ?? 1,
    })),
    backups: fields.text('backups'),
  });
}

function listOf<T>(fields: Fields, name: string, read: (member: Fields) => T): T[] | undefined {
  return fields.any(name) === undefined ? undefined : fields.list(name, read);
}

/** What is missing is empty; the verification names it. */
function readPrecondition(fields: Fields): Precondition {
  return { expression: fields.text('expression') ?? '', message: fields.text('message') ?? '' };
}

function readPlanObject(fields: Fields): PlanObject {
  return {
    name: fields.text('name') ?? '',
    apiVersion: fields.text('apiVersion') ?? '',
    kind: fields.text('kind') ?? '',
    objectName: fields.text('objectName') ?? '',
  };
}
