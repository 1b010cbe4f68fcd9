import { arrayAt, getAt, parseJsonObject, stringAt } from '@/lib/json/json';

type Lines = readonly (readonly [label: string, value: string])[];

const DEFINITION = ['predicate', 'buildDefinition'] as const;

/** What SLSA provenance says, in lines; what it does not say is left out. */
export function provenanceLines(text: string): Lines {
  const statement = parseJsonObject(text);
  const sources = arrayAt(statement, ...DEFINITION, 'resolvedDependencies');
  const git = sources.find((each) => stringAt(each, 'digest', 'gitCommit') !== undefined);
  const folder = sources.find((each) => stringAt(each, 'digest', 'dirHash') !== undefined);
  const isDirty = getAt(git, 'annotations', 'uncommittedChanges') === true;
  const commit = stringAt(git, 'digest', 'gitCommit');
  const builder = ['predicate', 'runDetails', 'builder'] as const;
  const version = stringAt(statement, ...builder, 'version', 'bravo');
  return given([
    ['Source', stringAt(git, 'uri')],
    ['Commit', commit === undefined ? undefined : `${commit}${isDirty ? ', with changes that are not in it' : ''}`],
    ['Folder hash', stringAt(folder, 'digest', 'dirHash')],
    ['Made by', [stringAt(statement, ...builder, 'id') ?? '', version ?? ''].join(' ').trim()],
  ]);
}

/** The parts of a package that an SPDX document lists, in lines. */
export function sbomLines(text: string): Lines {
  const packages = arrayAt(parseJsonObject(text), 'packages').map((each) => ({
    id: stringAt(each, 'SPDXID') ?? '',
    text: [stringAt(each, 'name') ?? '', stringAt(each, 'versionInfo') ?? ''].join(' ').trim(),
  }));
  const those = (prefix: string): string =>
    packages.flatMap(({ id, text: each }) => (id.startsWith(prefix) ? [each] : [])).join(', ');
  return given([
    ['Images', those('SPDXRef-image-')],
    ['Installs too', those('SPDXRef-dependency-')],
    ['Extends', those('SPDXRef-base')],
  ]);
}

function given(lines: readonly (readonly [string, string | undefined])[]): Lines {
  return lines.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, value] as const]));
}
