/** Characters of a value in one cookie: browsers keep 4096 bytes of name, value and attributes together. */
const CHUNK = 3_800;
/** Three of these, with the rest of a request's headers, stay below the 16 KiB that the server reads. */
const MOST_CHUNKS = 3;

/** Which cookies there are. Where the console is served by HTTPS they are bound to this host, path and scheme (`__Host-`). */
export class CookieNames {
  constructor(readonly isSecure: boolean) {}

  get session(): string {
    return this.isSecure ? '__Host-bravo' : 'bravo';
  }

  /** Says as whom the person sees the console. */
  get viewAs(): string {
    return `${this.session}-view-as`;
  }

  /** Holds what an OIDC sign-in has begun with; minutes long. */
  get signIn(): string {
    return `${this.session}-sign-in`;
  }
}

/** The value of a cookie, put together from its chunks `name`, `name.1`, `name.2`; undefined when it does not exist. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = parseCookies(header);
  const first = found.get(name);
  if (first === undefined) return undefined;
  let value = first;
  for (let index = 1; index < MOST_CHUNKS; index++) {
    const chunk = found.get(`${name}.${index}`);
    if (chunk === undefined) break;
    value += chunk;
  }
  return value;
}

/**
 * The Set-Cookie headers that store a value in chunks and take old chunks away.
 *
 * @returns undefined when the value is too large for cookies
 */
export function writeCookie(names: CookieNames, name: string, value: string, maxAgeMs: number): string[] | undefined {
  if (value.length > CHUNK * MOST_CHUNKS) return undefined;
  return Array.from({ length: MOST_CHUNKS }, (_, index) => {
    const chunk = value.slice(index * CHUNK, (index + 1) * CHUNK);
    return cookieText(names, chunkName(name, index), chunk, chunk === '' ? 0 : Math.ceil(maxAgeMs / 1000));
  });
}

/** The Set-Cookie headers that delete a cookie with its chunks. */
export function clearCookie(names: CookieNames, name: string): string[] {
  return Array.from({ length: MOST_CHUNKS }, (_, index) => cookieText(names, chunkName(name, index), '', 0));
}

function chunkName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`;
}

function cookieText({ isSecure }: CookieNames, name: string, value: string, maxAgeSeconds: number): string {
  const attributes = [
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAgeSeconds}`,
    ...(isSecure ? ['Secure'] : []),
  ];
  return `${name}=${value}; ${attributes.join('; ')}`;
}

/** The first cookie of each name counts, as browsers send the most specific one first. */
function parseCookies(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !found.has(name)) found.set(name, pair.slice(at + 1).trim());
  }
  return found;
}
