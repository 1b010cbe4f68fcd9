/** One marker of a field in short form: `minimum=1`. */
export interface Marker {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads what is behind the `|` of a field in short form: `default=3 minimum=1 description="at most \"7\""`. A value is a word, or a text
 * in double or single quotes, or JSON in brackets. A name alone means `=true`.
 *
 * @returns the markers in their order, or what is wrong
 */
export function readMarkers(text: string): readonly Marker[] | { readonly problem: string } {
  const markers: Marker[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && /[\s,]/.test(text.charAt(at))) at += 1;
    if (at >= text.length) return markers;
    const [name = ''] = /^[A-Za-z][A-Za-z0-9]*/.exec(text.slice(at)) ?? [];
    if (name === '') return { problem: `a marker such as default=1 is expected at "${text.slice(at, at + 20)}"` };
    at += name.length;
    if (text.charAt(at) !== '=') {
      markers.push({ name, value: 'true' });
      continue;
    }
    const read = readValue(text, at + 1);
    if (read === undefined) return { problem: `the value of marker "${name}" has no end` };
    markers.push({ name, value: read.value });
    at = read.end;
  }
}

function readValue(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readQuoted(text, start + 1, first);
  if (first === '[' || first === '{') return readBracketed(text, start);
  const [value = ''] = /^[^\s]*/.exec(text.slice(start)) ?? [];
  return { value, end: start + value.length };
}

/** Only the quote and the backslash are escaped, so that patterns stay as they are. */
function readQuoted(text: string, start: number, quote: string): { value: string; end: number } | undefined {
  let value = '';
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === quote) return { value, end: at + 1 };
    if (char === '\\' && (next === quote || next === '\\')) {
      value += next;
      at += 1;
    } else value += char;
  }
  return undefined;
}

function readBracketed(text: string, start: number): { value: string; end: number } | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' && text.charAt(at - 1) !== '\\') inText = !inText;
    if (inText) continue;
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    if (depth === 0) return { value: text.slice(start, at + 1), end: at + 1 };
  }
  return undefined;
}
