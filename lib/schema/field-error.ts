/** The kinds of a field's fault, as causes of a Status name them (Kubernetes apimachinery field.ErrorType). */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError';

/** One thing wrong with one field; `message` is the whole text of the cause, as the API server words it. */
export interface SchemaFieldError {
  readonly field: string;
  readonly type: FieldErrorType;
  readonly message: string;
}

/** `Required value`, or `Required value: detail`. */
export function required(field: string, detail = ''): SchemaFieldError {
  return { field, type: 'FieldValueRequired', message: detail === '' ? 'Required value' : `Required value: ${detail}` };
}

/** `Invalid value: "x": detail`; the value as JSON. */
export function invalid(field: string, value: unknown, detail: string): SchemaFieldError {
  return { field, type: 'FieldValueInvalid', message: `Invalid value: ${printed(value)}: ${detail}` };
}

export function typeInvalid(field: string, value: unknown, detail: string): SchemaFieldError {
  return { field, type: 'FieldValueTypeInvalid', message: `Invalid value: ${printed(value)}: ${detail}` };
}

/** `Unsupported value: "x": supported values: "a", "b"`, in the order given. */
export function notSupported(field: string, value: unknown, supported: readonly unknown[]): SchemaFieldError {
  const values = supported.map((each) => `"${typeof each === 'string' ? each : printed(each)}"`).join(', ');
  return {
    field,
    type: 'FieldValueNotSupported',
    message: `Unsupported value: ${printed(value)}: supported values: ${values}`,
  };
}

export function duplicate(field: string, value: unknown): SchemaFieldError {
  return { field, type: 'FieldValueDuplicate', message: `Duplicate value: ${printed(value)}` };
}

export function fieldForbidden(field: string, detail: string): SchemaFieldError {
  return { field, type: 'FieldValueForbidden', message: detail === '' ? 'Forbidden' : `Forbidden: ${detail}` };
}

export function fieldNotFound(field: string, value: unknown): SchemaFieldError {
  return { field, type: 'FieldValueNotFound', message: `Not found: ${printed(value)}` };
}

export function tooLong(field: string, bytes: number): SchemaFieldError {
  return { field, type: 'FieldValueTooLong', message: `Too long: may not be more than ${bytes} bytes` };
}

export function tooMany(field: string, count: number, most: number): SchemaFieldError {
  return { field, type: 'FieldValueTooMany', message: `Too many: ${count}: must have at most ${most} items` };
}

/** A value as messages print it: JSON, keys sorted as Go sorts them. */
export function printed(value: unknown): string {
  if (typeof value === 'number') return goNumber(value);
  return JSON.stringify(value ?? null, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** A number as Go's `%v` prints it: whole ones as int64, others as float64 (`1e-07`, `2.5`, `1e+20`). */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
