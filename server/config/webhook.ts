import { type Problem, TerminalError } from '@/lib/errors/errors';

/** What the environment says about the admission webhook of the controller, checked. */
export interface WebhookSettings {
  /** `auto`: served where the API server can reach it; `off`: never. */
  readonly mode: 'auto' | 'off';
  /** `https://host:port` under which the API server reaches this process. */
  readonly url: string | undefined;
  /** The Service before this process; `namespace` is the pod's when it is not named. */
  readonly service: { readonly namespace: string | undefined; readonly name: string } | undefined;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number | undefined;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads `BRAVO_WEBHOOK` (auto, off), `BRAVO_WEBHOOK_URL`, `BRAVO_WEBHOOK_SERVICE` (`name` or `namespace/name`) and
 * `BRAVO_WEBHOOK_PORT`. All invalid settings are named at once.
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readWebhookSettings(environment: Environment): WebhookSettings {
  const problems: Problem[] = [];
  const settings = {
    mode: readMode(environment.BRAVO_WEBHOOK || 'auto', problems),
    url: readUrl(environment.BRAVO_WEBHOOK_URL || undefined, problems),
    service: readService(environment.BRAVO_WEBHOOK_SERVICE || undefined, problems),
    port: readPort(environment.BRAVO_WEBHOOK_PORT || undefined, problems),
  };
  if (settings.url !== undefined && settings.service !== undefined) {
    problems.push({ path: 'BRAVO_WEBHOOK_URL', message: 'and BRAVO_WEBHOOK_SERVICE exclude each other; give one' });
  }
  if (problems.length === 0) return settings;
  throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
}

function readMode(text: string, problems: Problem[]): 'auto' | 'off' {
  if (text === 'auto' || text === 'off') return text;
  problems.push({ path: 'BRAVO_WEBHOOK', message: `"${text}" is not one of auto, off` });
  return 'auto';
}

function readUrl(text: string | undefined, problems: Problem[]): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  problems.push({ path: 'BRAVO_WEBHOOK_URL', message: `"${text}" is not of the form https://host:port` });
  return undefined;
}

function readService(text: string | undefined, problems: Problem[]): WebhookSettings['service'] {
  if (text === undefined) return undefined;
  const found = /^(?:([a-z0-9][a-z0-9-]*)\/)?([a-z0-9][a-z0-9-]*)$/.exec(text);
  if (found !== null) return { namespace: found[1], name: found[2] ?? '' };
  problems.push({ path: 'BRAVO_WEBHOOK_SERVICE', message: `"${text}" is neither "name" nor "namespace/name"` });
  return undefined;
}

function readPort(text: string | undefined, problems: Problem[]): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  problems.push({ path: 'BRAVO_WEBHOOK_PORT', message: `"${text}" is not a port; give a number from 0 to 65535` });
  return undefined;
}
