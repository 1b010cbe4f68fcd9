import { parseTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { rangeProblem, type UpgradableFrom } from '../upgrades/version-range';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A known problem of one version. */
export interface Advisory {
  /** `CVE-2026-1234`, or what the author calls it. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence. */
  readonly summary: string;
  /** `https:` or `http:`. */
  readonly url?: string;
  /** The operatorVersion that has it no more. */
  readonly fixedIn?: string;
}

/** What an entry of an index says about upgrades (ours; KUDO ignores the keys). Absent members say nothing. */
export interface Lifecycle {
  /** In which channels the version is; absent means `stable`. */
  readonly channels?: readonly string[];
  readonly upgradableFrom?: UpgradableFrom;
  /** True: an upgrade from an older to a newer version must not skip this one. */
  readonly required?: boolean;
  /** Nobody should move to this version any more. */
  readonly withdrawn?: { readonly reason: string /** RFC 3339. */; readonly since?: string };
  readonly advisories?: readonly Advisory[];
}

export const DEFAULT_CHANNEL = 'stable';
const CHANNEL = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
/** The members of {@link Lifecycle}, as the file names them. */
export const LIFECYCLE_KEYS = ['channels', 'upgradableFrom', 'required', 'withdrawn', 'advisories'] as const;

/** @param path where in the entry; `message` is the rest of a sentence that begins with that place */
export type ReportLifecycle = (path: readonly (string | number)[], message: string) => void;

/** Reads what an entry says about upgrades; what is wrong is reported, and absent from the result. */
export function readLifecycle(from: JsonObject, report: ReportLifecycle): Lifecycle {
  const channels = readChannels(from.channels, report);
  const upgradableFrom = readUpgradableFrom(from.upgradableFrom, report);
  const required = from.required ?? false;
  if (typeof required !== 'boolean') report(['required'], 'must be true or false');
  const withdrawn = readWithdrawn(from.withdrawn, report);
  const advisories = readAdvisories(from.advisories, report);
  return {
    ...(channels === undefined ? {} : { channels }),
    ...(upgradableFrom === undefined ? {} : { upgradableFrom }),
    ...(required === true ? { required } : {}),
    ...(withdrawn === undefined ? {} : { withdrawn }),
    ...(advisories === undefined || advisories.length === 0 ? {} : { advisories }),
  };
}

/** What is wrong with the name of a channel, as the rest of a sentence. */
export function channelProblem(name: string): string | undefined {
  if (name.length <= limits.index.channelChars && CHANNEL.test(name)) return undefined;
  return `must be names of lower case letters, digits, "-" and ".", of ${limits.index.channelChars} characters at most`;
}

function readChannels(value: JsonValue | undefined, report: ReportLifecycle): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.index.channels) {
    report(['channels'], `must be a list of 1 to ${limits.index.channels} names`);
    return undefined;
  }
  const names = value.filter((each) => typeof each === 'string');
  const problem = names.length < value.length ? 'must be names' : names.map(channelProblem).find((each) => each);
  if (problem !== undefined) report(['channels'], problem);
  return problem === undefined ? [...new Set(names)] : undefined;
}

/** A text is a range over operatorVersion; a map names each. */
export function readUpgradableFrom(value: JsonValue | undefined, report: ReportLifecycle): UpgradableFrom | undefined {
  if (value === undefined || value === null) return undefined;
  const ranges = typeof value === 'string' ? { operatorVersion: value } : value;
  const result: { operatorVersion?: string; appVersion?: string } = {};
  if (!isJsonObject(ranges) || Object.keys(ranges).length === 0) {
    report(['upgradableFrom'], 'must be a range such as ">=1.0.0 <2.0.0", or a map of operatorVersion and appVersion');
    return undefined;
  }
  for (const [key, range] of Object.entries(ranges)) {
    const path = typeof value === 'string' ? ['upgradableFrom'] : ['upgradableFrom', key];
    const problem = typeof range === 'string' ? rangeProblem(range) : 'must be a range such as ">=1.0.0 <2.0.0"';
    if (key !== 'operatorVersion' && key !== 'appVersion')
      report(path, 'is unknown; write operatorVersion or appVersion');
    else if (problem !== undefined || typeof range !== 'string') report(path, problem ?? '');
    else result[key] = range;
  }
  return result;
}

function readWithdrawn(value: JsonValue | undefined, report: ReportLifecycle): Lifecycle['withdrawn'] {
  if (value === undefined || value === null) return undefined;
  const reason = isJsonObject(value) ? value.reason : undefined;
  const since = isJsonObject(value) ? value.since : undefined;
  if (typeof reason !== 'string' || reason === '' || reason.length > limits.index.textChars) {
    report(['withdrawn'], `needs a "reason" of at most ${limits.index.textChars} characters`);
    // A version that is withdrawn without a good reason is withdrawn.
    return { reason: 'no reason is given' };
  }
  if (since === undefined) return { reason };
  if (typeof since === 'string' && parseTime(since) !== undefined) return { reason, since };
  report(['withdrawn', 'since'], 'must be a time like 2026-01-31T18:00:00Z');
  return { reason };
}

function readAdvisories(value: JsonValue | undefined, report: ReportLifecycle): Advisory[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length > limits.index.advisories) {
    report(['advisories'], `must be a list of at most ${limits.index.advisories}`);
    return undefined;
  }
  return value.flatMap((each, index) => {
    const read = readAdvisory(isJsonObject(each) ? each : {});
    if (typeof read !== 'string') return [read];
    report(['advisories', index], read);
    return [];
  });
}

function readAdvisory(from: JsonObject): Advisory | string {
  const { id, severity, summary, url, fixedIn } = from;
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= limits.index.textChars;
  const known = SEVERITIES.find((each) => each === severity);
  if (!isText(id)) return `needs an "id" of at most ${limits.index.textChars} characters`;
  if (known === undefined) return `needs a "severity": ${SEVERITIES.join(', ')}`;
  if (!isText(summary)) return `needs a "summary" of at most ${limits.index.textChars} characters`;
  if (url !== undefined && !(isText(url) && /^https?:\/\//.test(url) && URL.canParse(url))) {
    return 'has a "url" that is no address of http or https';
  }
  if (fixedIn !== undefined && !isText(fixedIn)) return 'has a "fixedIn" that is no version';
  return {
    id,
    severity: known,
    summary,
    ...(url === undefined ? {} : { url }),
    ...(fixedIn === undefined ? {} : { fixedIn }),
  };
}

/** The members of an index entry, without those that say nothing. */
export function lifecycleObject({ channels, upgradableFrom, required, withdrawn, advisories }: Lifecycle): JsonObject {
  const { operatorVersion, appVersion } = upgradableFrom ?? {};
  const ranges =
    operatorVersion !== undefined && appVersion === undefined ? operatorVersion : ({ ...upgradableFrom } as JsonObject);
  return {
    ...(channels === undefined ? {} : { channels: [...channels] }),
    ...(upgradableFrom === undefined ? {} : { upgradableFrom: ranges }),
    ...(required === true ? { required } : {}),
    ...(withdrawn === undefined ? {} : { withdrawn: { ...withdrawn } }),
    ...(advisories === undefined ? {} : { advisories: advisories.map((each) => ({ ...each })) }),
  };
}

/** The members of an entry that are about upgrades, and no others. */
export function lifecycleOf({ channels, upgradableFrom, required, withdrawn, advisories }: Lifecycle): Lifecycle {
  return {
    ...(channels === undefined ? {} : { channels }),
    ...(upgradableFrom === undefined ? {} : { upgradableFrom }),
    ...(required === undefined ? {} : { required }),
    ...(withdrawn === undefined ? {} : { withdrawn }),
    ...(advisories === undefined ? {} : { advisories }),
  };
}

/** True for a version of that channel. */
export function isInChannel({ channels = [DEFAULT_CHANNEL] }: Lifecycle, channel: string): boolean {
  return channels.includes(channel);
}
