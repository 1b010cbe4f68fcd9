import { invalid } from '../errors/status';
import type { FieldError } from '../kinds/base/strategy';
import type { WriteContext } from '../registry/context';
import type { Exchange } from './exchange';
import { contentTypeOf } from './negotiation';

const FIELD_VALIDATION = ['', 'Ignore', 'Strict', 'Warn'];

/** The query of a write (CreateOptions, UpdateOptions, PatchOptions), checked; 422 for values that are not known. */
export function writeContext(
  exchange: Exchange,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
  subresource: string | undefined,
): WriteContext {
  const { query, request } = exchange;
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors: FieldError[] = [...managerErrors(fieldManager), ...dryRunErrors(query), ...forceErrors(exchange, kind)];
  if (!FIELD_VALIDATION.includes(fieldValidation)) {
    const supported = FIELD_VALIDATION.map((each) => JSON.stringify(each)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(fieldValidation)}: supported values: ${supported}`;
    errors.push({ field: 'fieldValidation', type: 'FieldValueNotSupported', message });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: query.getAll('dryRun').length > 0,
    fieldManager: fieldManager === '' ? managerOf(request.headers['user-agent']) : fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteContext['fieldValidation']),
    subresource,
    warnings: exchange.warnings,
    user: exchange.user,
  };
}

/** `force` and a required manager belong to server-side apply alone. */
function forceErrors({ query, request }: Exchange, kind: string): FieldError[] {
  if (kind !== 'PatchOptions') return [];
  if (contentTypeOf(request.headers['content-type']) === 'application/apply-patch+yaml') {
    if ((query.get('fieldManager') ?? '') !== '') return [];
    return [
      { field: 'fieldManager', type: 'FieldValueRequired', message: 'Required value: is required for apply patch' },
    ];
  }
  if (!query.has('force')) return [];
  return [
    { field: 'force', type: 'FieldValueForbidden', message: 'Forbidden: may not be specified for non-apply patch' },
  ];
}

export function dryRunErrors(query: URLSearchParams): FieldError[] {
  const given = query.getAll('dryRun');
  if (given.length === 0 || given.every((each) => each === 'All')) return [];
  const message = `Unsupported value: ${JSON.stringify(given)}: supported values: "All"`;
  return [{ field: 'dryRun', type: 'FieldValueNotSupported', message }];
}

const MAX_MANAGER = 128;

function managerErrors(manager: string): FieldError[] {
  if (manager.length > MAX_MANAGER) {
    const message = `Too long: may not be more than ${MAX_MANAGER} bytes`;
    return [{ field: 'fieldManager', type: 'FieldValueTooLong', message }];
  }
  const at = [...manager].findIndex((char) => char < ' ' || char === '\u007f');
  if (at >= 0) {
    const code = (manager.charCodeAt(at) & 0xffff).toString(16).toUpperCase().padStart(4, '0');
    const message = `Invalid value: ${quoted(manager)}: invalid character U+${code} (at position ${at})`;
    return [{ field: 'fieldManager', type: 'FieldValueInvalid', message }];
  }
  return [];
}

/** Text in Go's quotes: control characters as `\x01`. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/\\u00([0-9a-f]{2})/g, '\\x$1');
}

/** The part of a User-Agent before the first slash, as the API server names managers that do not name themselves. */
function managerOf(userAgent: string | undefined): string {
  return (userAgent ?? '').split('/')[0] || 'unknown';
}
