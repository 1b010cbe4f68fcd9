import type { JsonValue } from '@/lib/json/json';
import { fieldForbidden, invalid, notSupported, required, tooLong } from '@/lib/schema/field-error';
import { invalidStatus } from '../errors/status';
import type { FieldError } from '../kinds/base/strategy';
import type { WriteContext } from '../registry/context';
import type { Exchange } from './exchange';
import { contentTypeOf } from './negotiation';

const FIELD_VALIDATION = ['', 'Ignore', 'Strict', 'Warn'] as const;

/** The query of a write (CreateOptions, UpdateOptions, PatchOptions), checked; 422 for values that are not known. */
export function writeContext(
  exchange: Exchange,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  subresource: string | undefined,
): WriteContext {
  const { query, request, warnings, user } = exchange;
  const fieldManager = query.get('fieldManager') ?? '';
  const given = query.get('fieldValidation') ?? '';
  const fieldValidation = FIELD_VALIDATION.find((each) => each === given);
  const dryRun = query.getAll('dryRun');
  const errors = [...managerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (kind === 'PatchOptions') errors.push(...patchErrors(exchange));
  if (fieldValidation === undefined) errors.push(notSupported('fieldValidation', given, FIELD_VALIDATION));
  if (errors.length > 0) throw invalidStatus({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    // Managers that do not name themselves have the part of the User-Agent before the first slash.
    fieldManager: fieldManager || request.headers['user-agent']?.split('/')[0] || 'unknown',
    fieldValidation: fieldValidation || 'Warn',
    subresource,
    warnings,
    user,
  };
}

/** `force` and a required manager belong to server-side apply alone. */
function patchErrors({ query, request }: Exchange): FieldError[] {
  if (contentTypeOf(request.headers['content-type']) !== 'application/apply-patch+yaml')
    return query.has('force') ? [fieldForbidden('force', 'may not be specified for non-apply patch')] : [];
  return query.get('fieldManager') ? [] : [required('fieldManager', 'is required for apply patch')];
}

export function dryRunErrors(given: readonly JsonValue[]): FieldError[] {
  return given.every((each) => each === 'All') ? [] : [notSupported('dryRun', given, ['All'])];
}

const MAX_MANAGER = 128;

function managerErrors(manager: string): FieldError[] {
  if (manager.length > MAX_MANAGER) return [tooLong('fieldManager', MAX_MANAGER)];
  const at = [...manager].findIndex((char) => char < ' ' || char === '\u007f');
  if (at < 0) return [];
  const code = manager.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const fault = invalid('fieldManager', manager, `invalid character U+${code} (at position ${at})`);
  // Go quotes control characters in another way than JSON.
  return [{ ...fault, message: fault.message.replace(/\\u00([0-9a-f]{2})/g, '\\x$1') }];
}
