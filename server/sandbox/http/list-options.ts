import { fieldForbidden, notSupported } from '@/lib/schema/field-error';
import { badRequest, failure, invalidStatus } from '../errors/status';
import type { FieldError } from '../kinds/base/strategy';
import { isTrue } from '../rbac/request-info';
import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '../selectors/selector';

/** The query of a list, watch or deletecollection (meta/v1 ListOptions), checked. */
export interface ListOptions {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  /** Empty, `Exact` or `NotOlderThan`. */
  readonly match: string;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads the query. 400 for what does not parse, 422 for combinations that are refused. */
export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options = {
    ...parseSelectors(query),
    limit: integer(query.get('limit')) ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: integer(query.get('timeoutSeconds')),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidStatus({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

/** The selectors of a query. 400 in the words of the API server. */
function parseSelectors(query: URLSearchParams): Pick<ListOptions, 'labels' | 'fields'> {
  try {
    return {
      labels: parseLabelSelector(query.get('labelSelector') ?? ''),
      fields: parseFieldSelector(query.get('fieldSelector') ?? ''),
    };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

/** A whole number of a query, undefined when absent or empty; 400 in Go's words. */
export function integer(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (value !== BigInt.asIntN(64, value))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(value);
}

/** The revision that a resourceVersion means; `''` is undefined. Throws in the words of the verb. */
export function parseRevision(text: string, verb: 'get' | 'list' | 'watch'): number | undefined {
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const message = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw verb === 'list' ? badRequest(`invalid resource version: ${message}`) : failure(500, '', message);
}

const MATCH = 'resourceVersionMatch';

/** apimachinery meta/internalversion/validation ValidateListOptions. */
function listErrors({ match, resourceVersion, continueToken, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(fieldForbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    if (continueToken !== '') errors.push(fieldForbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(fieldForbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
  }
  if (sendInitialEvents !== undefined)
    errors.push(fieldForbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors({ match, sendInitialEvents }: ListOptions): FieldError[] {
  if (sendInitialEvents === undefined) {
    const problem = `${MATCH} is forbidden for watch unless sendInitialEvents is provided`;
    return match === '' ? [] : [fieldForbidden(MATCH, problem)];
  }
  if (match === 'NotOlderThan') return [];
  const problem = fieldForbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`);
  return match === '' ? [problem] : [problem, notSupported(MATCH, match, ['NotOlderThan'])];
}
