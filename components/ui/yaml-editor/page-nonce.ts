/** The nonce of this page, for the style sheet that CodeMirror makes; the browser keeps it readable by scripts only. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
