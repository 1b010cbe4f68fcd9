import { messageOf, TerminalError } from '@/lib/errors/errors';
import { parseStepFileName, type StepFileName } from '@/lib/harness/file-name';
import { globMatcher } from '@/lib/harness/glob';
import { readSourceObjects } from '@/lib/harness/source-object';
import { assembleStep, type CaseStep, type StepFile } from '@/lib/harness/step';
import { applyTestFile } from '@/lib/harness/test-file';
import { parseTemplate, renderTemplate } from '@/lib/template/template';
import { primeKeys } from '@/server/tasks/prime-keys';
import type { Harness, HarnessLog } from './harness';
import { loadReferences, shownPath } from './load-references';
import { readEntries, readSuiteText } from './read-texts';

interface CaseSource {
  readonly harness: Harness;
  readonly folder: string;
  readonly namespace: string;
  readonly log: HarnessLog;
}

/** A file or folder of a case, by its name. */
interface NamedEntry extends StepFileName {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Reads the steps of a case, in the order in which they run (KUTTL testcase/case.go LoadTestSteps).
 * @throws TerminalError with file and line of what is wrong
 */
export async function readCase(source: CaseSource): Promise<CaseStep[]> {
  const byIndex = new Map<number, NamedEntry[]>();
  for (const entry of await namedEntries(source, source.folder)) {
    const { index } = entry;
    if (index === undefined) {
      source.log.line(`Ignoring "${shownPath(entry.path)}": does not begin with a number followed by a dash.`);
    } else byIndex.set(index, [...(byIndex.get(index) ?? []), entry]);
  }
  const steps: CaseStep[] = [];
  for (const [index, entries] of [...byIndex].sort(([a], [b]) => a - b)) {
    steps.push(await readStep(source, index, entries));
  }
  return steps;
}

async function readStep(source: CaseSource, index: number, entries: readonly NamedEntry[]): Promise<CaseStep> {
  const files: StepFile[] = [];
  for (const entry of entries) {
    if (!entry.isFolder) files.push(...(await readStepFile(source, entry, entry.words)));
    else {
      for (const inner of await namedEntries(source, entry.path)) {
        if (inner.isFolder) {
          throw new TerminalError(`${shownPath(inner.path)} is a folder in the folder of a step.`, 'InvalidSuite');
        }
        files.push(...(await readStepFile(source, inner, entry.words)));
      }
    }
  }
  const { harness, folder } = source;
  const { environment } = harness;
  return assembleStep(index, files, (step) =>
    loadReferences(step, { folder, environment, fetchText: (url) => harness.fetchText(url) }),
  );
}

async function namedEntries({ harness, log }: CaseSource, folder: string): Promise<NamedEntry[]> {
  const isIgnored = globMatcher(harness.suite.ignoreFiles);
  const named: NamedEntry[] = [];
  for (const { name, path, isFolder } of await readEntries(folder)) {
    if (typeof isIgnored !== 'string' && isIgnored(name)) continue;
    const parsed = parseStepFileName(name);
    if (typeof parsed === 'string') log.line(`Ignoring "${shownPath(path)}": ${parsed}`);
    else named.push({ ...parsed, path, isFolder });
  }
  return named;
}

/** None when its TestFile says that it is not of this run. */
async function readStepFile(source: CaseSource, entry: NamedEntry, words: string): Promise<StepFile[]> {
  const path = shownPath(entry.path);
  const text = await readSuiteText(entry.path);
  const read = readSourceObjects(path, entry.isTemplate ? renderText(source, path, text) : text);
  for (const line of read.dropped) source.log.line(`${path}:${line}: the document has no kind and is dropped.`);
  const { skipped, objects } = applyTestFile(read.objects, source.harness.suite.runLabels);
  if (skipped) {
    source.log.line(`Skipping ${path}: its testRunSelector does not match the labels of this run.`);
    return [];
  }
  return [{ path, kind: entry.kind, words, objects }];
}

/** A `.gotmpl.yaml` file; a variable that is not given is `<no value>`. */
function renderText({ harness, namespace }: CaseSource, path: string, text: string): string {
  const named = [...text.matchAll(/\.Vars\.([A-Za-z_]\w*)/g)].map(([, name = '']) => [name, null]);
  const values = { Namespace: namespace, Vars: { ...Object.fromEntries(named), ...harness.templateVars } };
  const environment = { clock: harness.pace.clock, random: harness.random, primeKeys };
  try {
    return renderTemplate(parseTemplate(path, text), values, { environment });
  } catch (error) {
    throw new TerminalError(messageOf(error), 'InvalidTemplate', { cause: error });
  }
}
