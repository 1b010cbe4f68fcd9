import { isJsonObject, parseJsonObject } from '@/lib/json/json';
import { parseActedUpon } from './acted-upon-record';

/**
 * The text of a record of what was acted upon without the token of the preview (up to 1.4 KB), which is compared with what was applied when
 * the run ends, and is of no use after that. The same text when there is none.
 */
export function withoutPreview(text: string): string {
  if (parseActedUpon(text)?.origin?.preview === undefined) return text;
  const record = parseJsonObject(text);
  if (!isJsonObject(record?.origin)) return text;
  const { preview: _, ...origin } = record.origin;
  return JSON.stringify({ ...record, origin });
}
