import { isHarnessKind, suiteFieldsOf } from './definitions';
import type { SuiteFields } from './fields';
import type { SourceObject } from './source-object';

/** Labels of a run, by name. */
export interface RunLabels {
  readonly [name: string]: string;
}

/**
 * Takes the TestFile out of the objects of a file. `skipped` is true when its `testRunSelector` does not match the labels of
 * the run.
 *
 * @throws TerminalError for two TestFiles, and for a selector that is none
 */
export function applyTestFile(
  objects: readonly SourceObject[],
  labels: RunLabels,
): { readonly skipped: boolean; readonly objects: readonly SourceObject[] } {
  const files = objects.filter((object) => isHarnessKind(object, 'TestFile'));
  const [first, second] = files;
  if (second !== undefined) throw suiteFieldsOf(second).problem('more than 1 TestFile not allowed in a file');
  if (first === undefined) return { skipped: false, objects };
  const selector = suiteFieldsOf(first).map('testRunSelector');
  const skipped = selector !== undefined && !selects(selector, labels);
  return { skipped, objects: objects.filter((object) => object !== first) };
}

/** A label selector (apimachinery meta/v1 LabelSelector); an empty one matches everything. */
function selects(selector: SuiteFields, labels: RunLabels): boolean {
  const exact = Object.entries(selector.labels('matchLabels') ?? {});
  return (
    exact.every(([name, value]) => labels[name] === value) &&
    selector.maps('matchExpressions').every((requirement) => meets(requirement, labels))
  );
}

function meets(requirement: SuiteFields, labels: RunLabels): boolean {
  const value = labels[requirement.text('key') ?? ''];
  const values = requirement.texts('values') ?? [];
  switch (requirement.text('operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      throw requirement.problem('must be In, NotIn, Exists or DoesNotExist', 'operator');
  }
}

/** `a=b,c=d` as labels. A text says what is wrong. */
export function parseRunLabels(text: string): RunLabels | string {
  const labels: { [name: string]: string } = {};
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    if (at < 1) return `--test-run-labels: "${pair}" is not NAME=VALUE`;
    labels[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return labels;
}
