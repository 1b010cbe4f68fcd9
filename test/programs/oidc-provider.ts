import type { Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { freePort } from './process';

/** A real OIDC provider on a loopback address, whose accounts are whatever name a person types. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** The groups of an account, from the next token on. */
  setGroups(account: string, groups: readonly string[]): void;
  /** How often a refresh token was used. */
  refreshes(): number;
  /** Every token that it has given out. */
  tokens(): readonly string[];
  close(): Promise<void>;
}

export interface TestProviderOptions {
  /** Where it may send people back to: the console's public URL. */
  readonly console: string;
  readonly idTokenSeconds?: number;
}

const CLIENT_ID = 'bravo';
/** Of the token endpoint's answer (RFC 6749, OpenID Connect Core). */
const TOKENS = ['access_token', 'id_token', 'refresh_token'] as const;

/** Starts the provider, with its own pages for signing in and for consent. */
export async function startOidcProvider({
  console: base,
  idTokenSeconds = 300,
}: TestProviderOptions): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const groups = new Map<string, readonly string[]>();
  let refreshes = 0;
  const tokens: string[] = [];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${base}/api/auth/oidc/callback`],
        post_logout_redirect_uris: [`${base}/sign-in`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'], profile: ['name'] },
    // The API server reads the ID token alone.
    conformIdTokenClaims: false,
    cookies: { keys: ['for tests only'] },
    ttl: {
      IdToken: idTokenSeconds,
      AccessToken: 300,
      RefreshToken: 3600,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: id,
        email: `${id}@example.org`,
        email_verified: true,
        groups: [...(groups.get(id) ?? [])],
      }),
    }),
  });
  provider.on('grant.success', (context) => {
    if (context.oidc.params?.grant_type === 'refresh_token') refreshes++;
    const body: { readonly [name: string]: unknown } = { ...(context.body as object) };
    for (const name of TOKENS) if (typeof body[name] === 'string') tokens.push(body[name]);
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = provider.listen(port, '127.0.0.1', () => resolve(listening));
  });
  return {
    issuer,
    clientId: CLIENT_ID,
    setGroups: (account, list) => void groups.set(account, list),
    refreshes: () => refreshes,
    tokens: () => tokens,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser without a screen: follows redirects by hand and keeps cookies by host, so that a test can drive the provider's pages. */
export class CookieBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** The Cookie header for an address. */
  cookies(url: string): string {
    return [...this.jar(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.cookies(url), 'sec-fetch-mode': 'navigate' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    this.keep(url, response.headers.getSetCookie());
    return response;
  }

  keep(url: string, setCookie: readonly string[]): void {
    for (const line of setCookie) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.jar(url).delete(pair.slice(0, at));
      else this.jar(url).set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  /** Goes from the provider's first page, by its forms, until it leads to an address that begins with `until`, which is returned. */
  async signInAtProvider(start: string, account: string, until: string): Promise<string> {
    let url = start;
    for (let step = 0; step < 15; step++) {
      const response = await this.open(url);
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url).href;
        // With the slash: one port can be the beginning of another one.
        if (url.startsWith(`${until}/`)) return url;
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`);
      const isLogin = page.includes('name="login"');
      const form = isLogin ? { prompt: 'login', login: account, password: 'any' } : { prompt: 'consent' };
      const answer = await this.open(new URL(action, url).href, form);
      url = new URL(answer.headers.get('location') ?? '', url).href;
    }
    throw new Error('The provider does not come to an end.');
  }

  private jar(url: string): Map<string, string> {
    const { hostname, port } = new URL(url);
    const key = `${hostname}:${port}`;
    const jar = this.jars.get(key) ?? new Map<string, string>();
    this.jars.set(key, jar);
    return jar;
  }
}
