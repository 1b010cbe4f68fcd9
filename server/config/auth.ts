import { BlockList, isIP } from 'node:net';
import type { Problem } from '@/lib/errors/errors';

/** How people sign in. `kubeconfig`: nobody does; the console works as the user of the kubeconfig, on a loopback address only. */
export type AuthMode = 'kubeconfig' | 'token' | 'oidc' | 'proxy';

/** How long a session lives, and where the keys of its cookie are. */
export interface SessionSettings {
  /** A session without a request for so long has ended. */
  readonly idleMs: number;
  /** A session ends so long after the sign-in in any case. */
  readonly lifetimeMs: number;
  /** A file with the keys of the cookies, one a line, the newest first; undefined: a Secret in a cluster, else a file in BRAVO_DATA. */
  readonly keysFile: string | undefined;
}

/** The provider, and what the API server gets of its ID token. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** A file, so that the secret is in no list of processes; undefined for a public client. */
  readonly clientSecretFile: string | undefined;
  readonly scopes: string;
  /** `token`: the ID token goes to the API server. `impersonate`: the console's own account impersonates user and groups. */
  readonly use: 'token' | 'impersonate';
  /** As kube-apiserver's --oidc-username-claim, --oidc-username-prefix, --oidc-groups-claim and --oidc-groups-prefix. */
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
}

/** The authenticating proxy. */
export interface ProxySettings {
  /** The addresses that its requests come from. */
  readonly addresses: BlockList;
  /** A file with what it sends in {@link PROXY_SECRET_HEADER}; undefined: it proves itself by its certificate alone. */
  readonly secretFile: string | undefined;
  /** PEM: the authorities of its client certificate; undefined: it shows none. */
  readonly clientCaFile: string | undefined;
  /** Common names or DNS names of its certificate; empty for all. */
  readonly clientNames: readonly string[];
  /** In lower case, as Node has header names. */
  readonly userHeader: string;
  readonly groupsHeader: string;
  /** Where "Sign out" leads; undefined when the proxy has no such page. */
  readonly signOutUrl: string | undefined;
}

interface Common {
  /** The address that people type, such as `https://bravo.example.org`, without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly session: SessionSettings;
  /** Proxies whose X-Forwarded-For says where a request comes from; undefined: none. */
  readonly trustedProxies: BlockList | undefined;
}

export type AuthSettings =
  | (Common & { readonly mode: 'kubeconfig' | 'token' })
  | (Common & { readonly mode: 'oidc'; readonly oidc: OidcSettings })
  | (Common & { readonly mode: 'proxy'; readonly proxy: ProxySettings });

/** Header in which the proxy proves itself. */
export const PROXY_SECRET_HEADER = 'x-bravo-proxy-secret';

type Environment = { readonly [name: string]: string | undefined };

const MODES: readonly AuthMode[] = ['kubeconfig', 'token', 'oidc', 'proxy'];
const HOUR_MS = 3_600_000;
const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Reads the settings of sign-in; what is wrong is added to `problems`. */
export function readAuthSettings(environment: Environment, problems: Problem[]): AuthSettings {
  const read = new Reader(environment, problems);
  const mode = read.choice('BRAVO_AUTH', MODES, 'kubeconfig');
  const proxies = read.text('BRAVO_TRUSTED_PROXIES', '');
  const common = {
    // Without sign-in BRAVO_URL is for the links of notices alone (server/config/notices), and may be any.
    publicUrl: mode === 'kubeconfig' ? undefined : readPublicUrl(environment, problems),
    session: readSession(read, environment),
    trustedProxies: proxies === '' ? undefined : read.addresses('BRAVO_TRUSTED_PROXIES', proxies),
  };
  if (mode === 'oidc') {
    if (common.publicUrl === undefined && !environment.BRAVO_URL) {
      read.problem(
        'BRAVO_URL',
        'is required with BRAVO_AUTH=oidc, as in https://bravo.example.org: the provider sends people back to it',
      );
    }
    return { ...common, mode, oidc: readOidc(read) };
  }
  if (mode === 'proxy') return { ...common, mode, proxy: readProxy(read) };
  return { ...common, mode };
}

/** True for a URL of this machine alone, where plain HTTP is no risk. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_NAMES.has(new URL(url).hostname);
}

function readPublicUrl(environment: Environment, problems: Problem[]): string | undefined {
  const text = environment.BRAVO_URL;
  if (text === undefined || text === '') return undefined;
  const problem = publicUrlProblem(text);
  if (problem === undefined) return text.replace(/\/$/, '').replace(/^[^/]*\/\/[^/]*/, new URL(text).origin);
  problems.push({ path: 'BRAVO_URL', message: problem });
  return undefined;
}

function publicUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `"${text}" is not a URL; give one as https://bravo.example.org`;
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    return `"${text}" has more than a scheme, a host, a port and a path; give it as ${url.protocol}//${url.host}`;
  }
  if (url.protocol === 'http:' && !isLoopbackUrl(text)) {
    return `"${text}" would send sessions over the network unencrypted; use https`;
  }
  return undefined;
}

function readSession(read: Reader, environment: Environment): SessionSettings {
  const idleMs = read.hours('BRAVO_SESSION_IDLE', 8);
  const lifetimeMs = read.hours('BRAVO_SESSION_LIFETIME', 24);
  return { idleMs, lifetimeMs, keysFile: environment.BRAVO_SESSION_KEYS || undefined };
}

function readOidc(read: Reader): OidcSettings {
  const issuer = read.required('BRAVO_OIDC_ISSUER', 'the issuer URL of the provider');
  if (issuer !== '') read.checkIssuer(issuer);
  const usernameClaim = read.text('BRAVO_OIDC_USERNAME_CLAIM', 'sub');
  const prefix = read.text('BRAVO_OIDC_USERNAME_PREFIX', usernameClaim === 'email' ? '-' : `${issuer}#`);
  return {
    issuer,
    clientId: read.required('BRAVO_OIDC_CLIENT_ID', 'the ID of this client at the provider'),
    clientSecretFile: read.text('BRAVO_OIDC_CLIENT_SECRET_FILE', '') || undefined,
    scopes: read.text('BRAVO_OIDC_SCOPES', 'openid profile email groups offline_access'),
    use: read.choice('BRAVO_OIDC_MODE', ['token', 'impersonate'], 'token'),
    usernameClaim,
    // As in kube-apiserver: `-` is no prefix.
    usernamePrefix: prefix === '-' ? '' : prefix,
    groupsClaim: read.text('BRAVO_OIDC_GROUPS_CLAIM', 'groups'),
    groupsPrefix: read.text('BRAVO_OIDC_GROUPS_PREFIX', ''),
  };
}

function readProxy(read: Reader): ProxySettings {
  const text = read.required('BRAVO_PROXY_ADDRESSES', "the proxy's addresses, as in 10.1.2.3,10.2.0.0/16");
  return {
    addresses: read.addresses('BRAVO_PROXY_ADDRESSES', text),
    ...readProxyProofs(read),
    userHeader: read.headerName('BRAVO_PROXY_USER_HEADER', 'X-Remote-User'),
    groupsHeader: read.headerName('BRAVO_PROXY_GROUPS_HEADER', 'X-Remote-Group'),
    signOutUrl: read.text('BRAVO_PROXY_SIGN_OUT_URL', '') || undefined,
  };
}

/** How the proxy proves that a request is its own. What is set is needed: with both, a request needs both. */
function readProxyProofs(read: Reader): Pick<ProxySettings, 'secretFile' | 'clientCaFile' | 'clientNames'> {
  const clientCaFile = read.text('BRAVO_PROXY_CLIENT_CA', '') || undefined;
  const what = `a file with what the proxy sends in ${PROXY_SECRET_HEADER}; or give the authority of its client certificate with BRAVO_PROXY_CLIENT_CA`;
  const secretFile =
    clientCaFile === undefined
      ? read.required('BRAVO_PROXY_SECRET_FILE', what)
      : read.text('BRAVO_PROXY_SECRET_FILE', '') || undefined;
  const text = read.text('BRAVO_PROXY_CLIENT_NAMES', '');
  const clientNames = text.split(',').map((name) => name.trim());
  const isNamed = text !== '';
  if (isNamed && clientCaFile === undefined)
    read.problem(
      'BRAVO_PROXY_CLIENT_NAMES',
      'names of client certificates need their authority; set BRAVO_PROXY_CLIENT_CA',
    );
  if (isNamed && clientNames.includes(''))
    read.problem('BRAVO_PROXY_CLIENT_NAMES', `"${text}" has an empty name; give them as front-proxy,proxy.example.org`);
  return { secretFile, clientCaFile, clientNames: isNamed ? clientNames : [] };
}

/** Reads one variable each; a mistake is a problem and a harmless value. */
class Reader {
  constructor(
    private readonly environment: Environment,
    private readonly problems: Problem[],
  ) {}

  problem(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  text(name: string, fallback: string): string {
    return this.environment[name] || fallback;
  }

  required(name: string, what: string): string {
    const text = this.text(name, '');
    if (text === '') this.problem(name, `is required with BRAVO_AUTH=${this.text('BRAVO_AUTH', '')}: ${what}`);
    return text;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.text(name, fallback);
    const found = choices.find((choice) => choice === text);
    if (found === undefined) this.problem(name, `"${text}" is not one of ${choices.join(', ')}`);
    return found ?? fallback;
  }

  /** `30m`, `8h` or `7d`, in milliseconds. */
  hours(name: string, fallbackHours: number): number {
    const text = this.text(name, `${fallbackHours}h`);
    const match = /^(\d{1,5})(m|h|d)$/.exec(text);
    const unitMs = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS }[match?.[2] ?? ''];
    const durationMs = Number(match?.[1]) * (unitMs ?? 0);
    if (durationMs >= 60_000) return durationMs;
    this.problem(name, `"${text}" is not a duration of at least a minute; give it as 30m, 8h or 7d`);
    return fallbackHours * HOUR_MS;
  }

  headerName(name: string, fallback: string): string {
    const text = this.text(name, fallback);
    if (!/^[A-Za-z0-9-]{1,64}$/.test(text)) this.problem(name, `"${text}" is not the name of a header`);
    return text.toLowerCase();
  }

  checkIssuer(issuer: string): void {
    if (URL.canParse(issuer) && (/^https:/.test(issuer) || (/^http:/.test(issuer) && isLoopbackUrl(issuer)))) return;
    this.problem('BRAVO_OIDC_ISSUER', `"${issuer}" is not an https URL (http is allowed on a loopback address only)`);
  }

  addresses(name: string, text: string): BlockList {
    const list = new BlockList();
    for (const entry of text.split(',').map((each) => each.trim())) {
      if (entry !== '' && !addAddress(list, entry)) {
        this.problem(name, `"${entry}" is not an address or a CIDR; give them as 10.1.2.3 or 10.2.0.0/16`);
      }
    }
    return list;
  }
}

function addAddress(list: BlockList, entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const most = family === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  if ((bits !== undefined && !/^\d{1,3}$/.test(bits)) || length > most) return false;
  list.addSubnet(address, length, kind);
  return true;
}
