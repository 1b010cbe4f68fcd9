import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import type { UserInfo } from '../rbac/user';

/** As the flags `--oidc-…` of kube-apiserver. */
export interface OidcFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** `-` and the empty text are no prefix. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
}

interface Verified {
  readonly user: UserInfo;
  readonly endsMs: number;
}

/** The default of `--oidc-signing-algs`. */
const ALGORITHMS = ['RS256'];
const ANSWER_WITHIN_MS = 10_000;
const MOST_KEPT = 1_000;

/** @throws TerminalError for an issuer whose answers anybody on the network could change */
export function checkIssuer(issuerUrl: string): void {
  const url = URL.canParse(issuerUrl) ? new URL(issuerUrl) : undefined;
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return;
  const message = `--oidc-issuer-url ${issuerUrl} must be an https URL; http is allowed on a loopback address only.`;
  throw new TerminalError(message, 'BadIssuer');
}

/**
 * ID tokens of an OIDC provider as bearer tokens (Kubernetes apiserver plugin/pkg/authenticator/token/oidc). Verifying asks the provider
 * for its keys, so a token is verified before the request is read (`prepare`), and `read` answers from what was verified.
 */
export class OidcAuthenticator {
  private readonly verified = new Map<string, Verified>();
  private keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  constructor(
    private readonly options: OidcFlags,
    private readonly clock: Clock,
  ) {
    checkIssuer(options.issuerUrl);
  }

  /** Verifies the token of an Authorization header where that is needed; undefined when it is not. Never rejects. */
  prepare(authorization: string | undefined): Promise<void> | undefined {
    const token = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
    if (token === undefined || this.verified.has(token) || !this.isOurs(token)) return undefined;
    // A token that does not pass is unknown, and gets 401.
    return this.verify(token).catch(() => undefined);
  }

  /** The user of a token that was verified and has not expired. */
  read(token: string): UserInfo | undefined {
    const found = this.verified.get(token);
    if (found === undefined) return undefined;
    if (this.clock.now() < found.endsMs) return found.user;
    this.verified.delete(token);
    return undefined;
  }

  private isOurs(token: string): boolean {
    try {
      return decodeJwt(token).iss === this.options.issuerUrl;
    } catch {
      return false;
    }
  }

  private async verify(token: string): Promise<void> {
    const { issuerUrl: issuer, clientId: audience } = this.options;
    this.keys ??= readKeys(issuer).catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    const { payload } = await jwtVerify(token, await this.keys, { issuer, audience, algorithms: ALGORITHMS });
    const user = this.userOf(payload);
    if (user === undefined || payload.exp === undefined) return;
    if (this.verified.size >= MOST_KEPT) this.verified.clear();
    this.verified.set(token, { user, endsMs: payload.exp * 1000 });
  }

  private userOf(payload: JWTPayload): UserInfo | undefined {
    const { issuerUrl, usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = this.options;
    const name = payload[usernameClaim];
    if (typeof name !== 'string' || name === '') return undefined;
    if (usernameClaim === 'email' && payload.email_verified === false) return undefined;
    const prefix = usernamePrefix === '-' ? '' : usernamePrefix || (usernameClaim === 'email' ? '' : `${issuerUrl}#`);
    const claimed = payload[groupsClaim];
    const groups = (Array.isArray(claimed) ? claimed : [claimed]).filter((group) => typeof group === 'string');
    return { name: `${prefix}${name}`, uid: '', groups: groups.map((group) => `${groupsPrefix}${group}`), extra: {} };
  }
}

/** The provider's keys, by its discovery document; read again by themselves when a token has an unknown one. */
async function readKeys(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  const response = await globalThis.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const document: unknown = await response.json();
  const keys = stringAt(document, 'jwks_uri');
  if (stringAt(document, 'issuer') !== issuer || keys === undefined) {
    throw new TerminalError(`The discovery document of ${issuer} is of another issuer.`, 'BadIssuer');
  }
  checkIssuer(keys);
  return createRemoteJWKSet(new URL(keys), { timeoutDuration: ANSWER_WITHIN_MS });
}
