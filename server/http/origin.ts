/** What a request says of where it comes from. Header values as sent; null when absent. */
export interface RequestSource {
  readonly method: string;
  readonly host: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: same-origin, same-site, cross-site or none. Browsers set it, pages cannot. */
  readonly fetchSite: string | null;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for methods that never change state. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Why a request must be refused for where it comes from, as a sentence; undefined when it may pass.
 *
 * Reading: another site may not, nor another port of this machine (`same-site`), nor any foreign `Origin`.
 * Writing: the browser must also say that it is this very origin, by `Origin` or by `Sec-Fetch-Site`; a request that
 * says neither is refused.
 */
export function originRefusal(source: RequestSource): string | undefined {
  const { fetchSite, origin } = source;
  if (origin !== null && !isOwnOrigin(origin, source.host)) return `The origin ${quoted(origin)} is not this console.`;
  if (fetchSite !== null && fetchSite !== 'same-origin' && fetchSite !== 'none') {
    return 'The request comes from another site. Open the console itself.';
  }
  if (isSafeMethod(source.method)) return undefined;
  if (origin !== null || fetchSite === 'same-origin') return undefined;
  return 'A change needs an Origin or Sec-Fetch-Site header of this console.';
}

function isOwnOrigin(origin: string, host: string | null): boolean {
  if (host === null) return false;
  const wanted = host.trim().toLowerCase();
  return origin === `http://${wanted}` || origin === `https://${wanted}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
