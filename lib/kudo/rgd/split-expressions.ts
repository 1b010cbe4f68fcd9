/** A part of a text of an RGD: as it is written, or an expression between `${` and `}`. */
export type TextPart = { readonly text: string } | { readonly cel: string };

/** The parts of a text in their order; undefined when an expression does not end. Braces in literals of texts and in maps are a part of the expression. */
export function splitExpressions(text: string): readonly TextPart[] | undefined {
  const parts: TextPart[] = [];
  let from = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', from)) {
    const end = endOf(text, start + 2);
    if (end === undefined) return undefined;
    if (start > from) parts.push({ text: text.slice(from, start) });
    parts.push({ cel: text.slice(start + 2, end).trim() });
    from = end + 1;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** Where the closing brace of an expression is. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === "'") {
      const close = closeOf(text, at);
      if (close === undefined) return undefined;
      at = close;
    } else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return at;
  }
  return undefined;
}

/** Where the quote that opens at `from` is closed. */
function closeOf(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[from]) return at;
  }
  return undefined;
}
