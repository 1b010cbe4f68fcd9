import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import {
  type Authority,
  type Issue,
  type KeyPair,
  makeAuthority,
  makeClientCertificate,
  makeServerCertificate,
  newKeyPem,
  type ServerCertificate,
} from './certificates';

/** What the sandbox keeps beside its store: its authority and the token of its own kubeconfig. */
export interface Secrets {
  readonly authority: Authority;
  readonly server: ServerCertificate;
  readonly adminToken: string;
  /** Signs the tokens of ServiceAccounts (ECDSA P-256, PKCS 8). */
  readonly serviceAccountKeyPem: string;
  /** Shows API servers behind Services that the sandbox asks; absent in a run without a network. */
  readonly frontProxy?: FrontProxy | undefined;
}

/** The sandbox as a client of API servers behind Services: an authority of its own, which signs nothing else. */
export interface FrontProxy extends KeyPair {
  readonly caPem: string;
}

/** The subject that API servers look for (`requestheader-allowed-names`). */
export const FRONT_PROXY_NAME = 'front-proxy-client';

/** Reads the secrets of a data folder, or makes them at the first start (mode 0600); without a folder they are new each time. */
export function loadSecrets(folder: string | undefined, clock: Clock, random: Random): Secrets {
  const issue = (): Issue => ({ nowMs: clock.now(), serial: Buffer.from([1, ...random.bytes(15)]) });
  const authority = kept(folder, 'ca.json', () => makeAuthority(issue()));
  const { token } = kept(folder, 'admin.json', () => ({ token: Buffer.from(random.bytes(32)).toString('hex') }));
  const { keyPem } = kept(folder, 'service-accounts.json', () => ({ keyPem: newKeyPem() }));
  return {
    serviceAccountKeyPem: keyPem,
    authority,
    server: makeServerCertificate(authority, issue()),
    adminToken: token,
    frontProxy: frontProxyOf(folder, issue),
  };
}

function frontProxyOf(folder: string | undefined, issue: () => Issue): FrontProxy {
  return kept(folder, 'front-proxy.json', () => {
    const authority = makeAuthority(issue());
    return { ...makeClientCertificate(authority, issue(), FRONT_PROXY_NAME), caPem: authority.certificatePem };
  });
}

function kept<T>(folder: string | undefined, name: string, make: () => T): T {
  const path = folder === undefined ? undefined : join(folder, name);
  if (path !== undefined && existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  const made = make();
  if (path !== undefined) writeSecretFile(path, JSON.stringify(made));
  return made;
}

/** Writes a file that only its owner may read, as a whole: a reader sees the old text or the new one. */
export function writeSecretFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}
