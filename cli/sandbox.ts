import { parseArgs } from 'node:util';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { systemRandom } from '@/lib/random/random';
import { letCompilerGiveWay } from '@/server/runtime/compiler-gives-way';
import { type SandboxOptions, startSandbox } from '@/server/sandbox/sandbox';

export const sandboxUsage = `Usage: bravo sandbox [options]

Serves an embedded Kubernetes API at https://127.0.0.1:PORT, as empty as a new cluster.

  --port P                 the port (default 6440; 0 takes any free one)
  --data-dir D             folder for the objects (default: in memory only)
  --token-auth-file F      kube-apiserver's CSV: token,user,uid,"groups"
  --sample-users           users admin, dev and viewer, their tokens in users/ of the data folder
  --oidc-issuer-url U      accept ID tokens of this provider, as kube-apiserver does
  --oidc-client-id I       the audience of these tokens
  --oidc-username-claim C  (default sub), --oidc-username-prefix P
  --oidc-groups-claim C    (default groups), --oidc-groups-prefix P
  --write-kubeconfig K     write a kubeconfig with mode 0600 when the sandbox serves
  --no-controllers         run no controllers
  --no-pods                run controllers, but schedule and run no pods
  --pod-delay S            seconds until a simulated pod is ready (default 3)
`;

const DEFAULT_PORT = 6440;
const DEFAULT_POD_DELAY_SECONDS = 3;

/** `bravo sandbox`: serves until SIGINT or SIGTERM. Resolves with the exit code. */
export async function runSandbox(argv: readonly string[]): Promise<number> {
  let options: SandboxOptions;
  try {
    const parsed = parseSandboxArguments(argv);
    if (parsed === 'help') {
      console.log(sandboxUsage);
      return 0;
    }
    options = parsed;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  letCompilerGiveWay();
  try {
    const sandbox = await startSandbox({ ...options, reportBug: (error) => console.error(error) });
    console.log(`The sandbox serves ${sandbox.url}`);
    await stopSignal();
    await sandbox.stop();
    return 0;
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** The options of a command line. @throws Error with one sentence for an unknown option or value */
export function parseSandboxArguments(argv: readonly string[]): SandboxOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      'token-auth-file': { type: 'string' },
      'write-kubeconfig': { type: 'string' },
      'sample-users': { type: 'boolean' },
      'oidc-issuer-url': { type: 'string' },
      'oidc-client-id': { type: 'string' },
      'oidc-username-claim': { type: 'string' },
      'oidc-username-prefix': { type: 'string' },
      'oidc-groups-claim': { type: 'string' },
      'oidc-groups-prefix': { type: 'string' },
      'no-controllers': { type: 'boolean' },
      'no-pods': { type: 'boolean' },
      'pod-delay': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return 'help';
  return {
    port: numberOf('--port', values.port, DEFAULT_PORT, 65_535),
    dataDir: values['data-dir'],
    tokenAuthFile: values['token-auth-file'],
    sampleUsers: sampleUsers(values['sample-users'], values['data-dir']),
    oidc: oidcOf(values),
    kubeconfigPath: values['write-kubeconfig'],
    mode: values['no-controllers'] === true ? 'no-controllers' : values['no-pods'] === true ? 'no-pods' : 'full',
    podDelayMs: numberOf('--pod-delay', values['pod-delay'], DEFAULT_POD_DELAY_SECONDS, 3600) * 1000,
    clock: systemClock,
    random: systemRandom,
  };
}

function sampleUsers(wanted: boolean | undefined, dataDir: string | undefined): boolean {
  if (wanted === true && dataDir === undefined) throw new Error('--sample-users needs --data-dir for the tokens.');
  return wanted === true;
}

function oidcOf(values: { readonly [option: string]: string | boolean | undefined }): SandboxOptions['oidc'] {
  const text = (option: string, otherwise = '') => String(values[`oidc-${option}`] ?? otherwise);
  const [issuerUrl, clientId] = [text('issuer-url'), text('client-id')];
  if (issuerUrl === '' && clientId === '') return undefined;
  if (issuerUrl === '' || clientId === '') throw new Error('--oidc-issuer-url and --oidc-client-id belong together.');
  return {
    issuerUrl,
    clientId,
    usernameClaim: text('username-claim', 'sub'),
    usernamePrefix: text('username-prefix'),
    groupsClaim: text('groups-claim', 'groups'),
    groupsPrefix: text('groups-prefix'),
  };
}

function numberOf(option: string, text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > max) {
    throw new Error(`${option} must be a number from 0 to ${max}, not ${JSON.stringify(text)}.`);
  }
  return value;
}

async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
