/**
 * The names by which the console answers, each with its port, in lower case. A page of another site that makes its own
 * name point at this machine (DNS rebinding) sends that name as `Host`, and is refused before any other code runs.
 */
export function allowedHosts(config: { readonly host: string; readonly port: number }): readonly string[] {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(config.host.toLowerCase())]);
  return [...names].flatMap((name) => (config.port === 80 ? [name, `${name}:80`] : [`${name}:${config.port}`]));
}

/** True when the `Host` header is exactly one of the allowed names. An absent or doubled header is not. */
export function isAllowedHost(hostHeader: string | null | undefined, allowed: readonly string[]): boolean {
  if (hostHeader === null || hostHeader === undefined) return false;
  return allowed.includes(hostHeader.trim().toLowerCase());
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
