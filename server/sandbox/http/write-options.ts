import type { FieldError } from '../kinds/strategy';
import type { WriteContext } from '../registry/context';
import type { Exchange } from './exchange';
import { badRequest, invalid } from './status';

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
  const errors: FieldError[] = [...managerErrors(fieldManager), ...dryRunErrors(query)];
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(manager)) {
    const message = `Invalid value: ${JSON.stringify(manager)}: should only contain printable characters`;
    return [{ field: 'fieldManager', type: 'FieldValueInvalid', message }];
  }
  return [];
}

/** The part of a User-Agent before the first slash, as the API server names managers that do not name themselves. */
function managerOf(userAgent: string | undefined): string {
  return (userAgent ?? 'unknown').split('/')[0] ?? 'unknown';
}

/** 400 for an answer that needs a name. */
export function requireName(name: string | undefined): string {
  if (name === undefined || name === '') throw badRequest('name must be provided');
  return name;
}
