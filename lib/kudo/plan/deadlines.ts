import type { Instance, OperatorVersion } from '@/lib/kudo/types';

/**
 * How long a plan or a step may take; without an entry there is no deadline. On an OperatorVersion or an Instance (which wins):
 * `bravo.kudo.dev/deadlines: "deploy=1h, deploy.main.nodes=10m, *.*.*=30m"`. An entry is `plan=duration` or
 * `plan.phase.step=duration`; `*` stands for any name; durations are Go's (`90s`, `1h30m`).
 *
 * An annotation, because KUDO's CRD prunes a field that it does not know and KUDO's client ignores it in a package: a
 * step's `deadline` in operator.yaml becomes part of this annotation, and an old client installs the package without it.
 */
export const DEADLINES_ANNOTATION = 'bravo.kudo.dev/deadlines';

/** A plan, or one step of it. */
export interface DeadlinePlace {
  readonly plan: string;
  readonly phase?: string;
  readonly step?: string;
}

export interface Deadline {
  /** `plan` or `plan.phase.step`; `*` is any name. */
  readonly place: string;
  readonly ms: number;
  /** The duration as it was written, for messages. */
  readonly text: string;
}

/** Parses the annotation. An entry that cannot be parsed is skipped and named in `problems`, one sentence each. */
export function parseDeadlines(text: string): { readonly deadlines: readonly Deadline[]; readonly problems: string[] } {
  const deadlines: Deadline[] = [];
  const problems: string[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === '') continue;
    const at = entry.lastIndexOf('=');
    const place = entry.slice(0, Math.max(at, 0));
    const duration = entry.slice(at + 1);
    const parts = place.split('.');
    const ms = parseDuration(duration);
    if (place === '' || parts.includes('') || (parts.length !== 1 && parts.length !== 3)) {
      problems.push(`"${entry}" is no deadline; write plan=duration or plan.phase.step=duration`);
    } else if (ms === undefined || ms === 0) {
      problems.push(`"${duration}" of ${place} is no duration; write for example 90s, 10m or 1h30m`);
    } else deadlines.push({ place, ms, text: duration });
  }
  return { deadlines, problems };
}

const UNIT_MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a Go duration of whole or decimal numbers with the units h, m, s and ms; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(\.\d{1,9})?(ms|h|m|s))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    total += Number(number) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return Math.round(total);
}

/** The deadline of a plan or step: the Instance's entry before the version's, an exact one before one with `*`. */
export function deadlineOf(
  instance: Instance,
  operatorVersion: OperatorVersion,
  place: DeadlinePlace,
): Deadline | undefined {
  for (const object of [instance, operatorVersion]) {
    const text = object.metadata.annotations?.[DEADLINES_ANNOTATION];
    if (text === undefined) continue;
    const matching = parseDeadlines(text).deadlines.filter((deadline) => matches(deadline.place, place));
    const [best] = matching.sort((a, b) => stars(a.place) - stars(b.place));
    if (best !== undefined) return best;
  }
  return undefined;
}

/** What is wrong with the deadlines of an Instance and its version, a sentence each; such entries do not count. */
export function deadlineProblems(instance: Instance, operatorVersion: OperatorVersion): string[] {
  return [instance, operatorVersion].flatMap(({ kind, metadata }) => {
    const { problems } = parseDeadlines(metadata.annotations?.[DEADLINES_ANNOTATION] ?? '');
    return problems.map((problem) => `${kind} ${metadata.name ?? ''}, annotation ${DEADLINES_ANNOTATION}: ${problem}`);
  });
}

function matches(pattern: string, { plan, phase, step }: DeadlinePlace): boolean {
  const wanted = step === undefined ? [plan] : [plan, phase ?? '', step];
  const parts = pattern.split('.');
  return parts.length === wanted.length && parts.every((part, index) => part === '*' || part === wanted[index]);
}

function stars(pattern: string): number {
  return pattern.split('*').length - 1;
}
