import type { Clock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { Api } from './api';
import type { Cluster } from './credentials';
import { createApi } from './http-api';
import type { RequestCredentials } from './request-credentials';
import { type AuthorityHeaders, connectTransport, type Transport } from './transport';

/** In whose name requests are sent: with the person's own token, or impersonated by the console's account. */
export type PersonAuthority =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'impersonate'; readonly name: string; readonly groups: readonly string[] }
  /** A person who impersonates somebody else with their own token. */
  | { readonly kind: 'bearer-as'; readonly token: string; readonly name: string; readonly groups: readonly string[] };

/** The connections that all people share: only headers differ. */
export interface PersonConnections {
  /** The API in a person's name. `authority` is asked for each request: a renewed token takes effect at once. */
  apiAs(authority: () => PersonAuthority): Api;
  close(): Promise<void>;
}

/** Connections to a cluster for people. Nothing is opened before the first request. */
export function connectPersons(cluster: Cluster, clock: Clock): PersonConnections {
  const own = connectTransport(cluster);
  const bare = connectTransport(withoutCredentials(cluster));
  return {
    apiAs(authority) {
      const transport = inNameOf(authority, { own, bare });
      return createApi(cluster, { clock, transport });
    },
    async close() {
      await Promise.all([own.close(), bare.close()]);
    },
  };
}

/**
 * The headers of an authority. Names are sent as UTF-8, as Go reads them (net/http; Kubernetes apiserver filters/impersonation).
 *
 * @throws TerminalError for a name that no header can carry
 */
export function headersOfAuthority(authority: PersonAuthority): AuthorityHeaders {
  if (authority.kind === 'bearer') return { authorization: `Bearer ${headerText(authority.token)}` };
  const token = authority.kind === 'bearer-as' ? { authorization: `Bearer ${headerText(authority.token)}` } : {};
  if (authority.name === '') throw new TerminalError('A person without a name cannot be impersonated.', 'BadUserName');
  const groups = authority.groups.map(headerText);
  return {
    ...token,
    'impersonate-user': headerText(authority.name),
    ...(groups.length > 0 ? { 'impersonate-group': groups } : {}),
  };
}

function headerText(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new TerminalError('The name of a user or group contains a control character.', 'BadUserName');
  }
  return Buffer.from(text, 'utf8').toString('latin1');
}

function inNameOf(authority: () => PersonAuthority, transports: { own: Transport; bare: Transport }): Transport {
  const pick = (kind: PersonAuthority['kind']) => (kind === 'impersonate' ? transports.own : transports.bare);
  return {
    async request(request) {
      const now = authority();
      return pick(now.kind).request({ ...request, authority: headersOfAuthority(now) });
    },
    async openSocket(request) {
      const now = authority();
      return pick(now.kind).openSocket({ ...request, authority: headersOfAuthority(now) });
    },
    // The connections are everybody's.
    close: async () => undefined,
  };
}

/** The same server without an identity: a client certificate would count before a person's token. */
function withoutCredentials(cluster: Cluster): Cluster {
  let last: { from: RequestCredentials['tls']; tls: RequestCredentials['tls'] } | undefined;
  return {
    ...cluster,
    async access() {
      const { tls } = await cluster.access();
      // The transport keeps its connections while this object stays the same.
      if (last?.from !== tls) {
        const { cert: _cert, key: _key, passphrase: _passphrase, ...rest } = tls;
        last = { from: tls, tls: rest };
      }
      return { headers: {}, tls: last.tls };
    },
    // A person's token that the server refuses says nothing about the file with the certificates.
    forgetAccess: () => undefined,
  };
}
