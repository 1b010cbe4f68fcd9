import { TerminalError } from '@/lib/errors/errors';
import { getAt, isJsonObject, type JsonValue } from '@/lib/json/json';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';

/** Reads the body of an edit. @throws TerminalError `BadRequest` */
export function parseEdit(body: JsonValue | undefined): ParameterEdit {
  const parameters = readValues(getAt(body, 'parameters'));
  const seen = readValues(getAt(body, 'seen') ?? {});
  if (parameters === undefined || seen === undefined) {
    throw new TerminalError(
      '`parameters` and `seen` must be objects whose values are strings, or null for the default.',
      'BadRequest',
    );
  }
  return { parameters, seen, inline: getAt(body, 'inline') === true };
}

function readValues(value: JsonValue | undefined): ParameterEdit['parameters'] | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every((entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string')
    ? Object.fromEntries(entries)
    : undefined;
}
