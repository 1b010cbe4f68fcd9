const SIMPLE: { readonly [letter: string]: string } = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '`': '`', '?': '?' },
};

/** The string of a quoted token. @throws Error with cel-go's message */
export function unquoteText(token: string): string {
  const { raw, body } = bodyOf(token);
  if (raw || !body.includes('\\')) return body;
  return body.replace(ESCAPES, (sequence: string) => {
    const letter = sequence[1] ?? '';
    const simple = SIMPLE[letter];
    if (simple !== undefined) return simple;
    const code = codeOf(sequence);
    if (code === undefined) throw new Error('unable to unescape string');
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new Error('invalid unicode code point');
    return String.fromCodePoint(code);
  });
}

/** The bytes of a token such as `b'\xff'`. @throws Error with cel-go's message */
export function unquoteBytes(token: string): Uint8Array {
  const { raw, body } = bodyOf(token.slice(1));
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const parts = raw
    ? [body]
    : (body.match(/\\(?:x[\s\S]{0,2}|X[\s\S]{0,2}|[0-3][0-7]{2}|[uU][\s\S]*|[\s\S])|[^\\]+/g) ?? []);
  for (const part of parts) {
    if (!part.startsWith('\\') || raw) bytes.push(...encoder.encode(part));
    else if (/^\\[uU]/.test(part)) throw new Error('unable to unescape string');
    else bytes.push(byteOf(part));
  }
  return Uint8Array.from(bytes);
}

function byteOf(sequence: string): number {
  const simple = SIMPLE[sequence[1] ?? ''];
  const code = simple === undefined ? codeOf(sequence) : simple.charCodeAt(0);
  if (code === undefined || code > 255) throw new Error('unable to unescape string');
  return code;
}

const ESCAPES = /\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[\s\S])/g;

function codeOf(sequence: string): number | undefined {
  if (/^\\[xXuU][0-9a-fA-F]+$/.test(sequence)) return Number.parseInt(sequence.slice(2), 16);
  return /^\\[0-3][0-7]{2}$/.test(sequence) ? Number.parseInt(sequence.slice(1), 8) : undefined;
}

function bodyOf(token: string): { raw: boolean; body: string } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replace(/\r\n?/g, '\n');
  const long = quoted.startsWith('"""') || quoted.startsWith("'''");
  return { raw, body: long ? quoted.slice(3, -3) : quoted.slice(1, -1) };
}
