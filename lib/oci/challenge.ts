/** How a registry wants to be asked again (RFC 9110 `WWW-Authenticate`; the Docker token specification). */
export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer';
      /** The URL where a token is given. */
      readonly realm: string;
      readonly service: string;
      /** What the registry asks for; empty when it says nothing. */
      readonly scope: string;
    };

const MAX_HEADER = 8_192;
const PARAMETER = /([a-zA-Z_]+)=(?:"((?:[^"\\]|\\.)*)"|([^",\s]+))/g;

/** Reads the header of a 401; undefined when it names neither Basic nor a usable Bearer. */
export function parseChallenge(header: string): Challenge | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const scheme = /^\s*([a-zA-Z]+)(?:\s|$)/.exec(header)?.[1]?.toLowerCase();
  if (scheme === 'basic') return { scheme };
  if (scheme !== 'bearer') return undefined;
  const values = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of header.matchAll(PARAMETER)) {
    values.set(name.toLowerCase(), quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'));
  }
  const realm = values.get('realm') ?? '';
  if (!URL.canParse(realm)) return undefined;
  return { scheme, realm, service: values.get('service') ?? '', scope: values.get('scope') ?? '' };
}
