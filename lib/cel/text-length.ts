/** The number of code points of a text, as Go counts them. */
export function textLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00) length--;
  }
  return length;
}
