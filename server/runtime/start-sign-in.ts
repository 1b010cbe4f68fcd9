import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import { CookieNames } from '@/server/auth/cookies';
import { Gate } from '@/server/auth/gate';
import { Keyring, keysOfDocument, keysOfFile } from '@/server/auth/keyring';
import { type OidcOptions, OidcProvider } from '@/server/auth/oidc';
import { Persons } from '@/server/auth/persons';
import { type ClientCertificates, isProxyCertificate } from '@/server/auth/proxy-certificate';
import { type ProxyProofs, readProxySecret } from '@/server/auth/proxy-person';
import { Sessions } from '@/server/auth/sessions';
import { fileDocument, type SharedDocument, secretDocument } from '@/server/auth/shared-document';
import { SharedRenewals } from '@/server/auth/shared-renewals';
import { SignIn } from '@/server/auth/sign-in';
import { SignOuts } from '@/server/auth/sign-outs';
import type { AuthSettings, ProxySettings } from '@/server/config/auth';
import type { Config } from '@/server/config/config';
import type { Log } from '@/server/log/log';
import type { ClusterAccess } from './start-parts';

export interface SignInParts {
  readonly signIn: SignIn;
  readonly gate: Gate;
  readonly names: CookieNames;
  readonly keyring: Keyring;
  close(): Promise<void>;
}

export interface StartSignInOptions {
  readonly config: Config;
  readonly access: ClusterAccess;
  readonly inCluster: boolean;
  /** The certificates of clients; undefined where something else ends TLS. */
  readonly tls: ClientCertificates | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Makes what sign-in needs; undefined with BRAVO_AUTH=kubeconfig. Keys and sign-outs are read now, so that what is wrong with them ends
 * the start and not the first sign-in.
 *
 * @throws TerminalError and the errors of Api
 */
export async function startSignIn(options: StartSignInOptions): Promise<SignInParts | undefined> {
  const { config, access, inCluster, clock, random, log } = options;
  const { auth } = config;
  if (auth.mode === 'kubeconfig') return undefined;
  const document = sharedDocuments(options);
  const { keysFile, lifetimeMs } = auth.session;
  const readKeys =
    keysFile === undefined ? keysOfDocument(document('bravo-session-keys'), clock, random) : keysOfFile(keysFile);
  const keyring = new Keyring(clock, readKeys);
  await keyring.keys();
  const connections = access.connectPersons();
  const persons = new Persons({ connections, clock });
  const names = new CookieNames(config.tls !== undefined || auth.publicUrl?.startsWith('https:') === true);
  const sessions = new Sessions({
    settings: auth.session,
    names,
    keyring,
    signOuts: new SignOuts(document('bravo-sign-outs'), clock, lifetimeMs),
    clock,
    random,
  });
  const signIn = new SignIn({
    settings: auth,
    sessions,
    persons,
    connections,
    provider: providerOf(auth, { names, keyring, clock, log }),
    // Only in a cluster are there several replicas.
    sharedRenewals: inCluster
      ? new SharedRenewals({ document: document('bravo-renewals'), keyring, clock, random, log })
      : undefined,
    proxyProofs: auth.mode === 'proxy' ? proofsOf(auth.proxy, options) : undefined,
    clock,
    log,
  });
  const gate = new Gate({ signIn, basePath: config.basePath, clock, random, log });
  return {
    ...{ signIn, gate, names, keyring },
    async close() {
      gate.close();
      persons.close();
      await connections.close();
    },
  };
}

function providerOf(
  auth: AuthSettings,
  parts: Pick<OidcOptions, 'names' | 'keyring' | 'clock' | 'log'>,
): OidcProvider | undefined {
  if (auth.mode !== 'oidc' || auth.publicUrl === undefined) return undefined;
  return new OidcProvider({ ...parts, settings: auth.oidc, publicUrl: auth.publicUrl });
}

/** @throws TerminalError when the secret cannot be read */
function proofsOf({ secretFile, clientCaFile, clientNames }: ProxySettings, parts: StartSignInOptions): ProxyProofs {
  const { tls, clock } = parts;
  const showsCertificate = (socket: Socket) => {
    const shown = tls?.clientCertificate(socket);
    return shown !== undefined && isProxyCertificate(shown, clientNames, clock.now());
  };
  return {
    secret: secretFile === undefined ? undefined : readProxySecret(secretFile),
    showsCertificate: clientCaFile === undefined ? undefined : showsCertificate,
  };
}

/** In a cluster a Secret beside the console, which all replicas share; elsewhere a file in BRAVO_DATA. */
function sharedDocuments({ config, access, inCluster }: StartSignInOptions): (name: string) => SharedDocument {
  const { ownNamespace } = access.summary;
  if (!inCluster || ownNamespace === undefined) return (name) => fileDocument(join(config.dataDir, `${name}.json`));
  return (name) => secretDocument(access.api, { namespace: ownNamespace, name });
}
