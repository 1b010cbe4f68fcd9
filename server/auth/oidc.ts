import { readFileSync } from 'node:fs';
import * as oidc from 'openid-client';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { numberAt, stringAt } from '@/lib/json/json';
import { returnPath } from '@/lib/net/return-path';
import { isLoopbackUrl, type OidcSettings } from '@/server/config/auth';
import type { Log } from '@/server/log/log';
import type { OidcTokens } from './claims';
import { type CookieNames, clearCookie, readCookie, writeCookie } from './cookies';
import type { Keyring } from './keyring';
import { keyIdOf, seal, unseal } from './seal';

/** The claims of a verified ID token. */
export type IdClaims = { readonly [claim: string]: unknown };

export interface ProviderAnswer {
  readonly tokens: OidcTokens;
  readonly claims: IdClaims;
}

/** Why a sign-in at the provider failed, as a word that the sign-in page explains. */
export type OidcFailure = 'expired' | 'denied' | 'provider' | 'cluster';

export type CallbackResult =
  | { readonly kind: 'answer'; readonly answer: ProviderAnswer; readonly to: string }
  | { readonly kind: 'failure'; readonly failure: OidcFailure };

export interface OidcOptions {
  readonly settings: OidcSettings;
  /** Where the provider sends people back to; without a slash at the end. */
  readonly publicUrl: string;
  readonly names: CookieNames;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
}

/** A sign-in at the provider may take so long. */
const SIGN_IN_MS = 10 * 60_000;
const TIMEOUT_S = 10;

/**
 * The provider: code flow with PKCE, state and nonce (OpenID Connect Core 3.1, RFC 7636). What a sign-in has begun with is in a sealed
 * cookie of ten minutes, so that any replica can end it, in the browser that began it alone.
 */
export class OidcProvider {
  private found: Promise<oidc.Configuration> | undefined;

  constructor(private readonly options: OidcOptions) {}

  /** Begins a sign-in. @returns the provider's page and the Set-Cookie headers; undefined when the provider cannot be reached */
  async begin(to: string): Promise<{ url: string; setCookie: string[] } | undefined> {
    const { settings, names, keyring, clock } = this.options;
    const configuration = await this.configuration().catch((error: unknown) => this.report('discovery', error));
    if (configuration === undefined) return undefined;
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Providers give a refresh token for offline_access only when the person is asked (OpenID Connect Core 11).
      ...(settings.scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    });
    const begun = { state, nonce, verifier, to: returnPath(to), e: clock.now() + SIGN_IN_MS };
    const sealed = await seal(begun, 'sign-in', await keyring.keys());
    return { url: url.href, setCookie: writeCookie(names, names.signIn, sealed, SIGN_IN_MS) ?? [] };
  }

  /** Ends a sign-in. `search` is the query with which the provider sent the browser back. */
  async finish(search: string, cookies: string | undefined): Promise<CallbackResult> {
    const { names, keyring, clock } = this.options;
    const sealed = readCookie(cookies, names.signIn) ?? '';
    const begun = await unseal(sealed, 'sign-in', await keyring.keysWith(keyIdOf(sealed)));
    const [state, nonce, verifier] = ['state', 'nonce', 'verifier'].map((name) => stringAt(begun, name));
    if (begun === undefined || verifier === undefined || clock.now() >= (numberAt(begun, 'e') ?? 0)) {
      return { kind: 'failure', failure: 'expired' };
    }
    try {
      const answer = await oidc.authorizationCodeGrant(
        await this.configuration(),
        new URL(`${this.redirectUri}${search}`),
        { pkceCodeVerifier: verifier, expectedState: state ?? '', expectedNonce: nonce ?? '', idTokenExpected: true },
      );
      return { kind: 'answer', answer: answerOf(answer, undefined), to: returnPath(stringAt(begun, 'to')) };
    } catch (error) {
      this.report('callback', error);
      const isDenied = stringAt(error, 'error') === 'access_denied';
      return { kind: 'failure', failure: isDenied ? 'denied' : 'provider' };
    }
  }

  /** New tokens for a refresh token. `ended`: the provider no longer accepts it; `later`: it does not answer. */
  async refresh(refreshToken: string): Promise<ProviderAnswer | 'ended' | 'later'> {
    try {
      return answerOf(await oidc.refreshTokenGrant(await this.configuration(), refreshToken), refreshToken);
    } catch (error) {
      this.report('refresh', error);
      return stringAt(error, 'error') === 'invalid_grant' ? 'ended' : 'later';
    }
  }

  /**
   * The provider's page for signing out (OpenID Connect RP-Initiated Logout), undefined when it has none. Without `id_token_hint`,
   * which would put the ID token into a URL.
   */
  async signOutUrl(): Promise<string | undefined> {
    const configuration = await this.configuration().catch((error: unknown) => this.report('discovery', error));
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    const back = { post_logout_redirect_uri: `${this.options.publicUrl}/sign-in` };
    return oidc.buildEndSessionUrl(configuration, back).href;
  }

  /** The Set-Cookie headers that forget what the sign-in began with. */
  forget(): string[] {
    return clearCookie(this.options.names, this.options.names.signIn);
  }

  private get redirectUri(): string {
    return `${this.options.publicUrl}/api/auth/oidc/callback`;
  }

  private configuration(): Promise<oidc.Configuration> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecretFile } = this.options.settings;
    const secret = clientSecretFile === undefined ? undefined : readSecret(clientSecretFile);
    const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret);
    // Plain HTTP is for a provider on this machine; the settings refuse it elsewhere.
    const execute = issuer.startsWith('http:') && isLoopbackUrl(issuer) ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(new URL(issuer), clientId, undefined, authentication, { execute, timeout: TIMEOUT_S });
  }

  /** The library's errors hold answers with tokens: only their words are logged. */
  private report(doing: string, error: unknown): undefined {
    const said = [stringAt(error, 'error'), stringAt(error, 'error_description')].filter((text) => text !== undefined);
    const words = said.length > 0 ? said.join(': ') : messageOf(error);
    this.options.log.warn('oidc.failed', { doing, issuer: this.options.settings.issuer, words: words.slice(0, 300) });
    return undefined;
  }
}

type TokenAnswer = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;

function answerOf(answer: TokenAnswer, formerRefreshToken: string | undefined): ProviderAnswer {
  const claims = answer.claims();
  if (answer.id_token === undefined || claims === undefined) {
    throw new TerminalError('The provider sent no ID token. Add openid to BRAVO_OIDC_SCOPES.', 'NoIdToken');
  }
  return {
    tokens: {
      idToken: answer.id_token,
      idTokenEndsMs: claims.exp * 1000,
      // A provider that does not rotate sends none: the former one goes on.
      refreshToken: answer.refresh_token ?? formerRefreshToken,
    },
    claims,
  };
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const message = `BRAVO_OIDC_CLIENT_SECRET_FILE ${path} cannot be read: ${messageOf(error)}.`;
    throw new TerminalError(message, 'NoClientSecret', { cause: error });
  }
}
