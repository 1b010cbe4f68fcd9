import type { LoggedProblem } from '@/lib/status/product-status';

/** So many warnings and errors of a thread are kept for the page *Status*. */
const KEPT = 50;
const MAX_TEXT = 300;
/** Fields that say what happened and to which object. Others may be long, or hold what somebody sent. */
const SHOWN = ['key', 'instance', 'resource', 'plan', 'reason', 'problem', 'words', 'advice', 'reconcileID'] as const;

const kept: LoggedProblem[] = [];

/** Keeps a warning or an error of this thread, without the oldest one when there are many. */
export function rememberProblem(
  about: Pick<LoggedProblem, 'atMs' | 'part' | 'level' | 'event'>,
  fields: { readonly [name: string]: unknown },
): void {
  const known = SHOWN.filter((name) => typeof fields[name] === 'string' && fields[name] !== '');
  const text = known.map((name) => `${name}=${fields[name]}`).join(' ');
  kept.push({ ...about, text: text.replace(/\s+/g, ' ').slice(0, MAX_TEXT) });
  if (kept.length > KEPT) kept.shift();
}

/** The last warnings and errors of this thread, newest first. */
export function recentProblems(): readonly LoggedProblem[] {
  return [...kept].reverse();
}
