import { type Advisory, SEVERITIES } from '../repository/lifecycle';

/** `CVE-2026-1 (high): A reader may write. Fixed in 2.0.1.` */
export function advisoryWords({ id, severity, summary, fixedIn }: Advisory): string {
  const fixed = fixedIn === undefined ? '' : ` Fixed in ${fixedIn}.`;
  return `${id} (${severity}): ${summary.replace(/\.?$/, '.')}${fixed}`;
}

/** The most severe first. */
export function bySeverity(a: Advisory, b: Advisory): number {
  return SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
}
