import { TerminalError } from '@/lib/errors/errors';
import { getAt, type JsonValue } from '@/lib/json/json';

/** A list of strings in a body; undefined when the field is absent. @throws TerminalError `BadRequest` for anything else */
export function readTexts(body: JsonValue | undefined, name: string): string[] | undefined {
  const value = getAt(body, name);
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === 'string');
    if (texts.length === value.length) return texts;
  }
  throw new TerminalError(`\`${name}\` must be a list of strings.`, 'BadRequest');
}
