import { badRequest, failure, invalid } from '../errors/status';
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
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** Reads the query. 400 for what does not parse, 422 for combinations that are refused. */
export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const sendInitialEvents = query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined;
  const options = {
    ...parseSelectors(query),
    limit: integer(query.get('limit')) ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion,
    match: match as ListOptions['match'],
    timeoutSeconds: integer(query.get('timeoutSeconds')),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents,
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid(LIST_OPTIONS, '', errors);
  return options;
}

/** The selectors of a query. 400 in the words of the API server. */
export function parseSelectors(query: URLSearchParams): Pick<ListOptions, 'labels' | 'fields'> {
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
export function parseRevision(text: string, verb: 'list' | 'watch'): number | undefined {
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const message = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw verb === 'list' ? badRequest(`invalid resource version: ${message}`) : failure(500, '', message);
}

function forbiddenMatch(message: string): FieldError {
  return { field: 'resourceVersionMatch', type: 'FieldValueForbidden', message: `Forbidden: ${message}` };
}

function unsupportedMatch(value: string, supported: string): FieldError {
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`;
  return { field: 'resourceVersionMatch', type: 'FieldValueNotSupported', message };
}

/** apimachinery meta/internalversion/validation ValidateListOptions. */
function listErrors(options: ListOptions): FieldError[] {
  const { match, resourceVersion, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      errors.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(unsupportedMatch(match, '"Exact", "NotOlderThan", ""'));
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    const message = 'Forbidden: sendInitialEvents is forbidden for list';
    errors.push({ field: 'sendInitialEvents', type: 'FieldValueForbidden', message });
  }
  return errors;
}

function watchErrors({ match, sendInitialEvents }: ListOptions): FieldError[] {
  if (sendInitialEvents === undefined) {
    return match === ''
      ? []
      : [forbiddenMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')];
  }
  const errors: FieldError[] = [];
  if (match !== 'NotOlderThan') {
    errors.push(forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (match !== '') errors.push(unsupportedMatch(match, '"NotOlderThan"'));
  }
  return errors;
}
