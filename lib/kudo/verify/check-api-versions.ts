import { dnsLabel1035Problems } from '@/lib/kube/label-syntax';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { wholeSchema } from '../own-kinds/crd';
import { storageVersionOf } from '../own-kinds/names';
import { schemaProblems } from '../own-kinds/schema-problems';
import type { OwnKind, OwnScale, OwnVersion } from '../own-kinds/types';
import { conversionProblem, versionSetProblem } from '../own-kinds/version-conversion';
import type { Report } from './report';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

/** What is written about one version. */
interface Version {
  readonly kind: OwnKind;
  readonly version: OwnVersion;
  problem(message: string, ...path: (string | number)[]): void;
}

export function checkApiVersions(report: Report, kind: OwnKind, index: number): void {
  const set = versionSetProblem(kind);
  if (set !== undefined) report.error(report.operatorLine('api', index, 'versions'), `kind ${kind.kind}: ${set}`);
  const storage = storageVersionOf(kind);
  kind.versions.forEach((version, at) => {
    const problem = (message: string, ...path: (string | number)[]) =>
      report.error(
        report.operatorLine('api', index, 'versions', at, ...path),
        `kind ${kind.kind}, version ${version.name}: ${message}`,
      );
    const [wrong] = dnsLabel1035Problems(version.name);
    if (wrong !== undefined) problem(wrong, 'name');
    checkSchema({ kind, version, problem });
    checkColumns({ kind, version, problem });
    if (version.scale !== undefined) checkScale({ kind, version, problem }, version.scale);
    const other = storage === undefined || storage === version ? undefined : conversionProblem(storage, version);
    if (other !== undefined) problem(other, 'schema');
  });
}

function checkSchema({ kind, version, problem }: Version): void {
  const { properties = {} } = version.schema;
  if (properties.spec === undefined) problem('the schema needs "properties.spec"', 'schema');
  for (const { field, message } of schemaProblems(wholeSchema(kind, version))) {
    problem(`${field}: ${message}`, 'schema', ...placeOf(field));
  }
}

/** Where a field of the short form is written. */
function placeOf(field: string): string[] {
  return field.split(/[.[\]{}]+/).filter((name) => name !== '');
}

function checkColumns({ version, problem }: Version): void {
  (version.printerColumns ?? []).forEach(({ name, type, jsonPath }, at) => {
    if (!COLUMN_TYPES.includes(type)) {
      problem(`the type of column ${name} must be one of ${COLUMN_TYPES.join(', ')}`, 'printerColumns', at, 'type');
    }
    if (!jsonPath.startsWith('.'))
      problem(`"jsonPath" of column ${name} must begin with a dot`, 'printerColumns', at, 'jsonPath');
  });
}

function checkScale({ kind, version, problem }: Version, scale: OwnScale): void {
  const schema = wholeSchema(kind, version);
  const wanted = [
    ['specReplicasPath', '.spec.', 'integer'],
    ['statusReplicasPath', '.status.', 'integer'],
    ['labelSelectorPath', '.status.', 'string'],
  ] as const;
  for (const [key, root, type] of wanted) {
    const path = scale[key];
    const found = path.startsWith(root) ? fieldAt(schema, path) : undefined;
    if (found?.type === type) continue;
    problem(`"${key}" ${path} must lead to a field of type ${type} below ${root.slice(0, -1)}`, 'scale', key);
  }
}

function fieldAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let found: JsonSchema | undefined = schema;
  for (const name of path.slice(1).split('.')) found = found?.properties?.[name];
  return found;
}
