import { type Problem, TerminalError } from '@/lib/errors/errors';

/** What the environment says about notices, checked. */
export interface NoticeSettings {
  /** Receivers on this machine are allowed: for tests and the sandbox. */
  readonly allowLocal: boolean;
  /** Where people reach the console, without a slash at the end; undefined when notices have no links. */
  readonly consoleUrl: string | undefined;
}

export const DEFAULT_NOTICES: NoticeSettings = { allowLocal: false, consoleUrl: undefined };

/**
 * Reads `BRAVO_URL` (`https://bravo.example.org`, with a path if the console is served below one) and
 * `BRAVO_NOTICES_ALLOW_LOCAL` (`true`).
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readNoticeSettings(environment: { readonly [name: string]: string | undefined }): NoticeSettings {
  const problems: Problem[] = [];
  const text = environment.BRAVO_URL || undefined;
  const consoleUrl = text === undefined ? undefined : addressOf(text);
  if (text !== undefined && consoleUrl === undefined) {
    problems.push({ path: 'BRAVO_URL', message: 'it is not an address such as https://bravo.example.org' });
  }
  const local = environment.BRAVO_NOTICES_ALLOW_LOCAL || 'false';
  if (local !== 'true' && local !== 'false') {
    problems.push({ path: 'BRAVO_NOTICES_ALLOW_LOCAL', message: `"${local}" is not one of true, false` });
  }
  if (problems.length === 0) return { allowLocal: local === 'true', consoleUrl };
  throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
}

function addressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
