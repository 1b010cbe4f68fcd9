import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { readYamlSource } from '@/lib/yaml/yaml';
import { releaseName } from '../upgrades/find-path';
import type { Versioned } from '../versions';
import type { IndexEntry } from './index-file';
import { LIFECYCLE_KEYS, type Lifecycle, readLifecycle } from './lifecycle';

/** What a file says about one version of an operator. */
interface Note extends Versioned {
  readonly name: string;
  readonly line: number;
  readonly lifecycle: Lifecycle;
}

const KEYS: readonly string[] = ['operatorVersion', 'appVersion', ...LIFECYCLE_KEYS];

/**
 * Adds what a file says about upgrades to the entries of an index. The file has the form of an index:
 * `entries: {NAME: [{operatorVersion, appVersion?, channels?, upgradableFrom?, required?, withdrawn?, advisories?}]}`.
 *
 * @param file its name, for messages
 * @throws TerminalError `IndexInvalid` with every problem as `file:line: what`
 */
export function withReleases(entries: readonly IndexEntry[], text: string, file: string): IndexEntry[] {
  const { notes, problems } = readNotes(text, file);
  const isOf = (note: Note, entry: IndexEntry): boolean =>
    note.name === entry.name && note.operatorVersion === entry.operatorVersion && note.appVersion === entry.appVersion;
  for (const note of notes) {
    if (entries.some((entry) => isOf(note, entry))) continue;
    problems.push(`${file}:${note.line}: no archive is ${note.name} ${releaseName(note)}`);
  }
  if (problems.length > 0) throw new TerminalError(problems.join('\n'), 'IndexInvalid');
  return entries.map((entry) => ({ ...entry, ...notes.find((note) => isOf(note, entry))?.lifecycle }));
}

function readNotes(text: string, file: string): { notes: Note[]; problems: string[] } {
  if (text.length > limits.repositoryIndexBytes) {
    return { notes: [], problems: [`${file}: is larger than ${limits.repositoryIndexBytes} bytes`] };
  }
  const read = readYamlSource(text);
  if (!read.ok) return { notes: [], problems: read.problems.map(({ line, message }) => `${file}:${line}: ${message}`) };
  const { value, lineOf } = read.source;
  const problems: string[] = [];
  const at = (path: readonly (string | number)[], message: string): void => {
    problems.push(`${file}:${lineOf(path)}: ${message}`);
  };
  const all = isJsonObject(value) ? value.entries : undefined;
  if (!isJsonObject(all)) at([], 'must have "entries": operators by name, each with a list of versions');
  const notes = Object.entries(isJsonObject(all) ? all : {}).flatMap(([name, list]) => {
    if (!Array.isArray(list)) at(['entries', name], `entries of ${name} must be a list of versions`);
    return (Array.isArray(list) ? list : []).flatMap((each, index): Note[] => {
      const path = ['entries', name, index];
      const lifecycle = isJsonObject(each)
        ? readNote(each, (inner, message) => at([...path, ...inner], message))
        : undefined;
      if (lifecycle === undefined || !isJsonObject(each)) {
        at(path, `an entry of ${name} must be a map with "operatorVersion"`);
        return [];
      }
      return [{ name, line: lineOf(path), lifecycle, ...versionsOf(each) }];
    });
  });
  return { notes, problems };
}

function readNote(
  each: JsonObject,
  report: (path: readonly (string | number)[], message: string) => void,
): Lifecycle | undefined {
  if (versionsOf(each).operatorVersion === '') return undefined;
  for (const key of Object.keys(each)) {
    if (!KEYS.includes(key)) report([key], `"${key}" is unknown; known are ${KEYS.join(', ')}`);
  }
  return readLifecycle(each, (path, message) => report(path, `"${path.join('.')}" ${message}`));
}

/** Versions such as 5.7 may be written without quotes. */
function versionsOf({ operatorVersion, appVersion }: JsonObject): Versioned {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  return { operatorVersion: text(operatorVersion), appVersion: text(appVersion) };
}
