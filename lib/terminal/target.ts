import { limits } from '@/lib/limits/limits';

/** Where a terminal is wanted, and what runs in it. */
export interface TerminalTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Program and arguments; not split further. */
  readonly command: readonly string[];
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const PATH = /^\/api\/pods\/([^/]+)\/([^/]+)\/terminal$/;

/** The address of a terminal at the console, without base path and cluster. */
export function terminalPath({ namespace, pod, container, command }: TerminalTarget): string {
  const query = new URLSearchParams({ container });
  for (const word of command) query.append('command', word);
  return `/api/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}/terminal?${query}`;
}

/** True for the address of a terminal, whatever its query says. */
export function isTerminalPath(path: string): boolean {
  return PATH.test(path);
}

/** Reads {@link terminalPath}; a string says what is wrong with it. */
export function parseTerminalPath(address: string): TerminalTarget | string {
  const url = new URL(address, 'http://console.invalid');
  const [, namespace = '', pod = ''] = (PATH.exec(url.pathname) ?? []).map(decodeURIComponent);
  const container = url.searchParams.get('container') ?? '';
  const command = url.searchParams.getAll('command');
  if (!LABEL.test(namespace)) return 'The namespace is not a name of Kubernetes.';
  if (!SUBDOMAIN.test(pod)) return 'The pod is not a name of Kubernetes.';
  if (!LABEL.test(container)) return 'Name the container: container=NAME.';
  return commandProblem(command) ?? { namespace, pod, container, command };
}

/** Why words are no command; undefined when they are one. */
function commandProblem(command: readonly string[]): string | undefined {
  const { commandWords, commandChars } = limits.terminal;
  if (command[0] === undefined || command[0] === '') return 'Say what to run: command=sh.';
  if (command.length > commandWords) return `A command has at most ${commandWords} words.`;
  if (command.join(' ').length > commandChars) return `A command has at most ${commandChars} characters.`;
  return command.some((word) => word.includes('\0')) ? 'A command has no NUL character.' : undefined;
}

/** A command as a person reads it. Words with blanks or quotes are quoted as a shell does. */
export function formatCommand(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** bash where the container has it, otherwise sh. */
export const BEST_SHELL: readonly string[] = [
  'sh',
  '-c',
  'if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi',
];
