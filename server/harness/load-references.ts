import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { type CommandEnvironment, expandVariables } from '@/lib/harness/command';
import type { TestStep } from '@/lib/harness/definitions';
import { readSourceObjects, type SourceObject } from '@/lib/harness/source-object';
import type { Referenced } from '@/lib/harness/step';
import { readEntries, readSuiteText } from './read-texts';

interface ReferenceSources {
  /** The case's folder: relative paths begin there. */
  readonly folder: string;
  readonly environment: CommandEnvironment;
  fetchText(url: string): Promise<string>;
}

/** The objects of `apply`, `assert` and `error` of a TestStep: URLs, files and folders. */
export async function loadReferences(step: TestStep, sources: ReferenceSources): Promise<Referenced> {
  return {
    apply: await loadAll(step.apply, sources),
    assert: await loadAll(step.assert, sources),
    error: await loadAll(step.error, sources),
  };
}

async function loadAll(references: readonly string[], sources: ReferenceSources): Promise<SourceObject[]> {
  const objects: SourceObject[] = [];
  for (const reference of references) objects.push(...(await loadOne(reference, sources)));
  return objects;
}

async function loadOne(reference: string, sources: ReferenceSources): Promise<readonly SourceObject[]> {
  const expanded = expandVariables(reference, sources.environment);
  if (/^https?:\/\//.test(expanded)) {
    return readSourceObjects(expanded, await sources.fetchText(expanded)).objects;
  }
  const path = resolve(sources.folder, expanded);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new TerminalError(`${reference}: no such file or folder in ${sources.folder}`, 'NoFile');
  }
  if (!found.isDirectory()) return readSourceObjects(shownPath(path), await readSuiteText(path)).objects;
  const objects: SourceObject[] = [];
  for (const { name, path: file, isFolder } of await readEntries(path)) {
    if (isFolder || !name.endsWith('.yaml')) continue;
    objects.push(...readSourceObjects(shownPath(file), await readSuiteText(file)).objects);
  }
  return objects;
}

/** A path as messages name it: from the working directory, if it is below. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
