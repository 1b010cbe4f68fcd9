/** How Go's time package quotes a text in its messages: every byte that is not printable ASCII in hexadecimal digits. */
export function quoteTime(bytes: string): string {
  const escaped = bytes.replace(/["\\]|[^ -~]/gs, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}
