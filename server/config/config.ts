import { resolve } from 'node:path';
import { type Problem, TerminalError } from '@/lib/errors/errors';
import { type AuthSettings, readAuthSettings } from './auth';
import { readNamespaces } from './namespaces';
import { readTlsSettings, type TlsSettings } from './tls';

/** Whether the controller runs: always, never, or (`auto`) in the sandbox, and elsewhere when a person starts it in the console. */
export type ControllerMode = 'auto' | 'on' | 'off';

/** Everything that the environment says, checked. The names of the variables are in README. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The path below which the console is served, `/bravo`; empty for the root. The pages are built for it. */
  readonly basePath: string;
  /** The folder of the built pages, below the project's root. */
  readonly pagesDir: string;
  readonly sandboxPort: number;
  /** Absolute path of the folder for the sandbox's store, its kubeconfig and uploaded packages. */
  readonly dataDir: string;
  readonly kubeconfigPath: string | undefined;
  readonly context: string | undefined;
  readonly controller: ControllerMode;
  /** The only namespaces that are read; empty for all. */
  readonly namespaces: readonly string[];
  /** How people sign in. */
  readonly auth: AuthSettings;
  /** Undefined: the console serves HTTP, on the loopback interface or behind something that ends TLS. */
  readonly tls: TlsSettings | undefined;
  /** True for a sandbox with users to try sign-in with. */
  readonly sampleUsers: boolean;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads the settings. All invalid settings are named at once.
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readConfig(environment: Environment, workingDir: string): Config {
  const problems: Problem[] = [];
  const port = readPort(environment, 'PORT', 3000, problems);
  const sandboxPort = readPort(environment, 'BRAVO_SANDBOX_PORT', 6440, problems);
  const host = environment.BRAVO_HOST ?? '127.0.0.1';
  const auth = readAuthSettings(environment, problems);
  const hostProblem = LOOPBACK.has(host) ? undefined : problemOfHost(host, auth);
  if (hostProblem !== undefined) problems.push({ path: 'BRAVO_HOST', message: hostProblem });
  const basePath = readBasePath(environment, problems);
  const urlProblem = problemOfPath(auth.publicUrl, basePath);
  if (urlProblem !== undefined) problems.push({ path: 'BRAVO_URL', message: urlProblem });
  const clientCaFile = auth.mode === 'proxy' ? auth.proxy.clientCaFile : undefined;
  const tls = readTlsSettings(environment, { workingDir, clientCaFile }, problems);
  const controller = readController(environment, problems);
  const dataDir = resolve(workingDir, environment.BRAVO_DATA || '.bravo');
  if (problems.length > 0) {
    throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
  }
  return {
    host,
    port,
    basePath,
    pagesDir: environment.BRAVO_NEXT_DIR || '.next',
    sandboxPort,
    dataDir,
    kubeconfigPath: ownKubeconfig(environment.KUBECONFIG, dataDir, workingDir),
    context: environment.BRAVO_CONTEXT || undefined,
    controller,
    namespaces: readNamespaces(environment),
    ...{ auth, tls },
    sampleUsers: auth.mode === 'token',
  };
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/** Why the console may not listen on an address that other machines reach. */
function problemOfHost(host: string, { mode }: AuthSettings): string | undefined {
  if (mode !== 'kubeconfig') return undefined;
  return `${host} would show the console to other machines without sign-in; use 127.0.0.1, or choose a sign-in with BRAVO_AUTH=token, oidc or proxy`;
}

/** The address that people use has the base path, too. */
function problemOfPath(publicUrl: string | undefined, basePath: string): string | undefined {
  if (publicUrl === undefined) return undefined;
  const { origin, pathname } = new URL(publicUrl);
  if (pathname.replace(/\/$/, '') === basePath) return undefined;
  return `${publicUrl} has another path than BRAVO_BASE_PATH; give it as ${origin}${basePath}, or set BRAVO_BASE_PATH`;
}

/** The sandbox's own file counts as unset: a shell that still has it exported must not lose the sandbox. */
function ownKubeconfig(value: string | undefined, dataDir: string, workingDir: string): string | undefined {
  if (value === undefined || value === '') return undefined;
  return resolve(workingDir, value) === resolve(dataDir, 'kubeconfig') ? undefined : value;
}

function readPort(environment: Environment, name: string, fallback: number, problems: Problem[]): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  problems.push({ path: name, message: `"${text}" is not a port; give a number from 1 to 65535` });
  return fallback;
}

/** Letters, digits, `.`, `_` and `-` in each segment: nothing that a proxy or a browser would write in another way. */
const BASE_PATH = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

function readBasePath(environment: Environment, problems: Problem[]): string {
  const text = environment.BRAVO_BASE_PATH || '';
  if (text === '' || BASE_PATH.test(text)) return text;
  const message = `"${text}" is not a path such as /bravo: it begins with a slash, does not end with one, and has letters, digits, ".", "_" and "-" between them`;
  problems.push({ path: 'BRAVO_BASE_PATH', message });
  return '';
}

function readController(environment: Environment, problems: Problem[]): ControllerMode {
  const text = environment.BRAVO_CONTROLLER || 'auto';
  if (text === 'auto' || text === 'on' || text === 'off') return text;
  problems.push({ path: 'BRAVO_CONTROLLER', message: `"${text}" is not one of auto, on, off` });
  return 'auto';
}
