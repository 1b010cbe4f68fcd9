/** As whom the page was rendered (app/(console)/layout); empty without sign-in, and on the server. */
export function accountOfPage(): string {
  if (typeof document === 'undefined') return '';
  return document.querySelector<HTMLMetaElement>('meta[name="bravo-account"]')?.content ?? '';
}
