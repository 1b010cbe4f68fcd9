import type { GroupVersionResource } from './object';

/** One right: may the person do this verb to this resource, in this namespace (absent: cluster-wide), to this object? */
export interface AccessQuestion {
  readonly verb: string;
  readonly group: string;
  /** A subresource is written as RBAC has it: `planapprovals/status`. */
  readonly resource: string;
  readonly namespace?: string | undefined;
}

/** The answer of the API server to a question. `reason` is its own, often empty. */
export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

/** A question about a type. */
export function accessTo(
  verb: string,
  { group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>,
  namespace?: string,
): AccessQuestion {
  return { verb, group, resource, ...(namespace === undefined || namespace === '' ? {} : { namespace }) };
}

const QUESTION =
  /^([a-z]{1,32}):([a-z0-9.-]{1,253})\/([a-z0-9][a-z0-9.-]{0,252}(?:\/[a-z]{1,63})?)(?:@([a-z0-9-]{1,63}))?$/;

/** `patch:kudo.dev/instances@demo`; the core group is written `core`. */
export function formatQuestion({ verb, group, resource, namespace }: AccessQuestion): string {
  const base = `${verb}:${group === '' ? 'core' : group}/${resource}`;
  return namespace === undefined ? base : `${base}@${namespace}`;
}

/** The reverse of {@link formatQuestion}; undefined for anything that is no question. */
export function parseQuestion(text: string): AccessQuestion | undefined {
  const [, verb, group, resource, namespace] = QUESTION.exec(text) ?? [];
  if (verb === undefined || group === undefined || resource === undefined) return undefined;
  return accessTo(verb, { group: group === 'core' ? '' : group, resource }, namespace);
}

/** Why a button is off: the right that is missing, as a sentence. */
export function missingRight({ verb, resource, namespace }: AccessQuestion): string {
  const where = namespace === undefined ? 'in this cluster' : `in namespace ${namespace}`;
  return `You may not ${verb} ${resource} ${where}. An administrator of the cluster can grant it.`;
}
