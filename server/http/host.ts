/**
 * The names by which the console answers, each with its port, in lower case. A page of another site that makes its own
 * name point at this machine (DNS rebinding) sends that name as `Host`, and is refused before any other code runs.
 */
export function allowedHosts(config: HostSettings): readonly string[] {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(config.host.toLowerCase())]);
  const own = [...names].flatMap((name) => (config.port === 80 ? [name, `${name}:80`] : [`${name}:${config.port}`]));
  const { publicUrl } = config.auth ?? {};
  return publicUrl === undefined ? own : [...own, ...publicHosts(new URL(publicUrl))];
}

/** The parts of the settings that say by which names the console answers. */
export interface HostSettings {
  readonly host: string;
  readonly port: number;
  readonly auth?: { readonly publicUrl: string | undefined };
}

/** The host of the public URL, with and without the port that the scheme implies. */
function publicHosts(url: URL): readonly string[] {
  if (url.port !== '') return [url.host];
  return [url.host, `${url.host}:${url.protocol === 'https:' ? 443 : 80}`];
}

/** True when the `Host` header is exactly one of the allowed names. An absent or doubled header is not. */
export function isAllowedHost(hostHeader: string | null | undefined, allowed: readonly string[]): boolean {
  if (hostHeader === null || hostHeader === undefined) return false;
  return allowed.includes(hostHeader.trim().toLowerCase());
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
