import { TerminalError } from '@/lib/errors/errors';
import { dnsLabelProblems } from '@/lib/kube/label-syntax';
import { SYSTEM_NAMESPACE } from '@/lib/kudo/installation/names';
import {
  CONSOLE_SIGN_INS,
  CONTROLLER_ROLES,
  type ConsoleInstallation,
  type InstallationOptions,
} from '@/lib/kudo/installation/options';
import { MOST_SHARDS } from '@/server/config/shards';
import { productVersion } from '@/server/runtime/root';

/** More controllers than this only watch: each of them holds a copy of all Instances. */
const MOST_REPLICAS = MOST_SHARDS;

/** Flags of `init`, as commander reads them. Those before `console` are KUDO's. */
export interface InitFlags {
  readonly clientOnly?: boolean;
  readonly kudoImage?: string;
  readonly kudoImagePullPolicy: string;
  readonly version?: string;
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly upgrade?: boolean;
  readonly verify?: boolean;
  readonly crdOnly?: boolean;
  readonly wait?: boolean;
  readonly waitTimeout?: string;
  readonly serviceAccount: string;
  readonly namespace?: string;
  readonly home?: string;
  readonly console?: boolean;
  readonly consoleSignIn: string;
  readonly consoleUrl?: string;
  readonly consoleImpersonation?: boolean;
  readonly controllerRole: string;
  readonly namespaces?: string;
  readonly controllerReplicas?: string;
  readonly shards?: string;
  readonly remove?: boolean;
  readonly removeCrds?: boolean;
  readonly deleteInstance?: readonly string[];
}

/** What the flags say about the installation. @throws TerminalError for a value that cannot be used */
export function installationOptions(flags: InitFlags): InstallationOptions {
  return {
    namespace: flags.namespace || SYSTEM_NAMESPACE,
    image: flags.kudoImage || `bravo:v${(flags.version || productVersion).replace(/^v/, '')}`,
    imagePullPolicy: flags.kudoImagePullPolicy,
    serviceAccount: flags.serviceAccount,
    controllerRole: oneOf('--controller-role', flags.controllerRole, CONTROLLER_ROLES),
    console: flags.console === true ? consoleOptions(flags) : undefined,
    namespaces: readNamespaces(flags.namespaces),
    ...(flags.controllerReplicas === undefined
      ? {}
      : { controllerReplicas: readCount('--controller-replicas', flags.controllerReplicas, MOST_REPLICAS) }),
    ...(flags.shards === undefined ? {} : { shards: readCount('--shards', flags.shards, MOST_SHARDS) }),
  };
}

function consoleOptions(flags: InitFlags): ConsoleInstallation {
  return {
    signIn: oneOf('--console-sign-in', flags.consoleSignIn, CONSOLE_SIGN_INS),
    url: readUrl(flags.consoleUrl),
    mayImpersonate: flags.consoleImpersonation === true,
  };
}

/** Whether a flag names an image: only then a controller and a console are installed. */
export function hasImage({ kudoImage, version }: InitFlags): boolean {
  return (kudoImage ?? '') !== '' || (version ?? '') !== '';
}

export function waitTimeoutMs({ waitTimeout = '300' }: InitFlags): number {
  const seconds = Number(waitTimeout);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw refused(`--wait-timeout must be a number of seconds, not "${waitTimeout}"`);
}

/** Refuses combinations of flags: KUDO's in KUDO's order and words, then ours. */
export function checkFlags(words: readonly string[], flags: InitFlags): void {
  checkKudoFlags(words, flags);
  checkRemovalFlags(flags);
  if (!flags.console && (flags.consoleUrl !== undefined || flags.consoleImpersonation)) {
    throw refused('--console-url and --console-impersonation are only useful together with --console');
  }
  if (flags.namespaces !== undefined && flags.crdOnly) {
    throw refused(
      '--crd-only and --namespaces cannot be used at the same time: CRDs are cluster-scoped. Let an administrator run bravo init --crd-only first.',
    );
  }
  installationOptions(flags);
}

function checkRemovalFlags({ remove, removeCrds, deleteInstance, ...flags }: InitFlags): void {
  const others: [string, boolean | undefined][] = [
    ['--verify', flags.verify],
    ['--upgrade', flags.upgrade],
    ['--crd-only', flags.crdOnly],
    ['--wait', flags.wait],
    ['--client-only', flags.clientOnly],
  ];
  const [excluded] = others.find(([, isGiven]) => isGiven === true) ?? [];
  if (remove && excluded !== undefined) throw refused(`--remove and ${excluded} cannot be used at the same time`);
  if (removeCrds && !remove) throw refused('--remove-crds is only useful together with --remove');
  if (deleteInstance !== undefined && !removeCrds) {
    throw refused('--delete-instance is only useful together with --remove --remove-crds');
  }
}

function checkKudoFlags(words: readonly string[], flags: InitFlags): void {
  const { clientOnly, crdOnly, wait, upgrade, verify, dryRun } = flags;
  const image = (flags.kudoImage ?? '') !== '';
  const version = (flags.version ?? '') !== '';
  if (words.length > 0) throw refused('this command does not accept arguments');
  if (image && version) throw refused("specify either 'kudo-image' or 'version', not both");
  if (clientOnly && (image || version || (flags.output ?? '') !== '' || crdOnly || wait)) {
    throw refused('you cannot use image, version, output, crd-only and wait flags with client-only option');
  }
  if (crdOnly && wait) throw refused('wait is not allowed with crd-only');
  if (flags.waitTimeout !== undefined && !wait) {
    throw refused("wait-timeout is only useful when using the flag '--wait'");
  }
  if (upgrade && verify) throw refused("'--upgrade' and '--verify' can not be used at the same time");
  if (verify && dryRun) throw refused("'--dry-run' and '--verify' can not be used at the same time");
  if (crdOnly && upgrade) {
    throw refused("'--upgrade' and '--crd-only' can not be used at the same time: you can not upgrade *only* crds");
  }
  const policy = flags.kudoImagePullPolicy;
  if (!['Always', 'IfNotPresent', 'Never'].includes(policy)) {
    throw refused(`unknown image pull policy ${policy}, must be one of 'Always', 'IfNotPresent' or 'Never'`);
  }
}

/** @throws TerminalError unless the text is a whole number from 1 to `most` */
function readCount(flag: string, text: string, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
  throw refused(`${flag} must be a whole number from 1 to ${most}, not "${text}"`);
}

function readNamespaces(text: string | undefined): string[] {
  if (text === undefined) return [];
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const wrong = names.find((name) => dnsLabelProblems(name).length > 0);
  if (wrong === undefined) return names;
  throw refused(
    `--namespaces must be names of namespaces with commas between them, such as team-a,team-b; "${wrong}" is no name of a namespace`,
  );
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') return text;
  throw refused(`--console-url must be an address such as https://bravo.example.org, not "${text}"`);
}

function oneOf<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw refused(`${flag} must be one of ${choices.join(', ')}, not "${text}"`);
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
