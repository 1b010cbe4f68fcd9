import { isPrint } from '../format/quote';
import { decodeRune } from '../value/bytes';

const HTML: ReadonlyMap<string, string> = new Map([
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\0', '\xef\xbf\xbd'],
]);

/** text/template HTMLEscapeString. */
export function escapeHtml(bytes: string): string {
  return bytes.replace(/["'&<>\0]/g, (character) => HTML.get(character) ?? character);
}

const JS: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['"', '\\"'],
  ['<', '\\u003C'],
  ['>', '\\u003E'],
  ['&', '\\u0026'],
  ['=', '\\u003D'],
]);

/** text/template JSEscapeString. */
export function escapeJs(bytes: string): string {
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const { rune, width } = decodeRune(bytes, at);
    const raw = bytes.slice(at, at + width);
    const known = JS.get(raw);
    if (known !== undefined) result += known;
    else if (rune < 32 || (rune >= 128 && !isPrint(rune)))
      result += `\\u${rune.toString(16).toUpperCase().padStart(4, '0')}`;
    else result += raw;
    at += width;
  }
  return result;
}

/** net/url QueryEscape. */
export function escapeUrlQuery(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9_.~-]/g, (character) =>
    character === ' ' ? '+' : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
