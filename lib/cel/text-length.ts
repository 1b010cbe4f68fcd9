/** How many characters a text has, as Go counts them: one beyond 16 bits is one. */
export function textLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00) length--;
  }
  return length;
}
