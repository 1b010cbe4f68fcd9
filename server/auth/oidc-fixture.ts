import { type Clock, systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { TransientError } from '@/lib/errors/errors';
import { systemRandom } from '@/lib/random/random';
import { readConfig } from '@/server/config/config';
import type { Api } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { connectPersons, type PersonConnections } from '@/server/kube/person-api';
import { createLog } from '@/server/log/log';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { CookieBrowser, type TestProvider } from '@/test/programs/oidc-provider';
import { CookieNames } from './cookies';
import { Keyring, keysOfDocument } from './keyring';
import { OidcProvider } from './oidc';
import { Persons } from './persons';
import { Sessions } from './sessions';
import type { SharedDocument } from './shared-document';
import { memoryDocument } from './shared-document-fixture';
import { SharedRenewals } from './shared-renewals';
import { SignIn } from './sign-in';
import { SignOuts } from './sign-outs';

/** The public URL of the consoles. Nothing listens there: the test hands the provider's answer over. */
export const CONSOLE = 'http://127.0.0.1:3999';

/** An API server that accepts ID tokens of the provider: the user is the email, groups have the prefix `oidc:`. */
export function startOidcSandbox(provider: TestProvider): Promise<Sandbox> {
  return startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
    oidc: {
      issuerUrl: provider.issuer,
      clientId: provider.clientId,
      usernameClaim: 'email',
      usernamePrefix: '-',
      groupsClaim: 'groups',
      groupsPrefix: 'oidc:',
    },
  });
}

export interface OidcConsoleOptions {
  readonly provider: TestProvider;
  readonly sandbox: Sandbox;
  readonly use: 'token' | 'impersonate';
  readonly clock?: VirtualClock;
  /** Whether the API server does not answer people. */
  readonly isDown?: () => boolean;
  /** What replicas share; absent: a console that is the only one. */
  readonly shared?: {
    readonly keys: SharedDocument;
    readonly signOuts: SharedDocument;
    readonly renewals: SharedDocument;
    /** The time in which a replica waits for another one. */
    readonly clock: Clock;
  };
}

/** The sign-in of one console, on a clock of its own. Deadlines of the API are in real time: provider and sandbox are real. */
export function startOidcConsole({
  provider,
  sandbox,
  use,
  shared,
  clock = new VirtualClock(systemClock.now()),
  isDown = () => false,
}: OidcConsoleOptions) {
  const { auth } = readConfig(
    {
      BRAVO_AUTH: 'oidc',
      BRAVO_URL: CONSOLE,
      BRAVO_OIDC_ISSUER: provider.issuer,
      BRAVO_OIDC_CLIENT_ID: provider.clientId,
      BRAVO_OIDC_MODE: use,
      BRAVO_OIDC_USERNAME_CLAIM: 'email',
      BRAVO_OIDC_GROUPS_PREFIX: 'oidc:',
    },
    '/',
  );
  if (auth.mode !== 'oidc') throw new Error('not oidc');
  const [random, log, names] = [systemRandom, createLog('console', 'warn'), new CookieNames(false)];
  const keyring = new Keyring(clock, keysOfDocument(shared?.keys ?? memoryDocument(), clock, random));
  const cluster = plainCluster({ server: sandbox.url, ca: sandbox.caPem, token: sandbox.adminToken });
  const connections = failing(connectPersons(cluster, systemClock), isDown);
  const signIn = new SignIn({
    settings: auth,
    sessions: new Sessions({
      settings: auth.session,
      names,
      keyring,
      signOuts: new SignOuts(shared?.signOuts ?? memoryDocument(), clock, 1e9),
      clock,
      random,
    }),
    persons: new Persons({ connections, clock }),
    connections,
    provider: new OidcProvider({ settings: auth.oidc, publicUrl: CONSOLE, names, keyring, clock, log }),
    sharedRenewals:
      shared && new SharedRenewals({ document: shared.renewals, keyring, clock: shared.clock, random, log }),
    proxyProofs: undefined,
    clock,
    log,
  });
  return { signIn, clock };
}

/** The same, whose API server sometimes does not say who somebody is. */
function failing(connections: PersonConnections, isDown: () => boolean): PersonConnections {
  return {
    close: () => connections.close(),
    apiAs(authority) {
      const api = connections.apiAs(authority);
      const raw: Api['raw'] = async (request) => {
        if (isDown()) throw new TransientError('The API server does not answer.', 'Unreachable');
        return api.raw(request);
      };
      return { ...api, raw };
    },
  };
}

/** A browser that signed in as `account`, by the provider's own pages. */
export async function signedIn(signIn: SignIn, account: string, to = '/runs') {
  const browser = new CookieBrowser();
  const begun = await signIn.provider.begin(to);
  if (begun === undefined) throw new Error('The provider did not answer.');
  browser.keep(CONSOLE, begun.setCookie);
  const back = await browser.signInAtProvider(begun.url, account, CONSOLE);
  const result = await signIn.finishProvider(new URL(back).search, browser.cookies(CONSOLE));
  browser.keep(CONSOLE, result.setCookie);
  return { browser, back, to: result.to, cookies: () => browser.cookies(CONSOLE) };
}
