import { TerminalError } from '@/lib/errors/errors';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import { parseChallenge } from '@/lib/oci/challenge';

/** What a person signs in to a registry with. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/** The credentials for a registry (`host[:port]`); undefined when there are none. */
export type CredentialsFor = (registry: string) => Promise<RegistryCredentials | undefined>;

/** GET of a token's URL; its body. */
type ReadToken = (url: URL, authorization: string | undefined) => Promise<Uint8Array>;

/** Answers the challenges of registries, and keeps the answers by registry and scope as long as the process needs them. */
export class Authorizer {
  private readonly answers = new Map<string, string>();

  constructor(
    private readonly credentialsFor: CredentialsFor,
    private readonly readToken: ReadToken,
  ) {}

  /** The header that was right before; undefined when there is none. */
  known(registry: string, scope: string): string | undefined {
    return this.answers.get(`${registry} ${scope}`);
  }

  /**
   * The `Authorization` that a challenge asks for; undefined when it cannot be answered.
   *
   * @param registry as references name it, and its URL: a token of an https registry is asked for over https only
   * @throws TerminalError `RegistryUnauthorized` when the token server refuses
   */
  async answer(
    { registry, base }: { readonly registry: string; readonly base: URL },
    scope: string,
    header: string,
  ): Promise<string | undefined> {
    const challenge = parseChallenge(header);
    if (challenge === undefined) return undefined;
    const credentials = await this.credentialsFor(registry);
    const basic = credentials === undefined ? undefined : basicAuthorization(credentials);
    const answer = challenge.scheme === 'basic' ? basic : await this.bearer(tokenUrl(base, scope, challenge), basic);
    if (answer !== undefined) this.answers.set(`${registry} ${scope}`, answer);
    return answer;
  }

  private async bearer(url: URL, basic: string | undefined): Promise<string> {
    const file = parseJsonObject(new TextDecoder().decode(await this.readToken(url, basic)));
    const token = stringAt(file, 'token') ?? stringAt(file, 'access_token') ?? '';
    if (/^[\x21-\x7e]+$/.test(token)) return `Bearer ${token}`;
    throw new TerminalError(`The token server ${url.host} gave no token.`, 'RegistryUnauthorized');
  }
}

/** `Basic …` (RFC 7617). */
export function basicAuthorization({ username, password }: RegistryCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function tokenUrl(base: URL, wanted: string, challenge: { realm: string; service: string; scope: string }): URL {
  const url = new URL(challenge.realm);
  const isHttps = url.protocol === 'https:';
  if (!isHttps && (url.protocol !== 'http:' || base.protocol === 'https:')) {
    throw new TerminalError(
      `The registry ${base.host} asks for a token of ${url.protocol}//${url.host}, which is not https.`,
      'RegistryUnauthorized',
    );
  }
  url.username = '';
  url.password = '';
  if (challenge.service !== '') url.searchParams.set('service', challenge.service);
  const scope = wanted === '' ? challenge.scope : wanted;
  if (scope !== '') url.searchParams.set('scope', scope);
  return url;
}
