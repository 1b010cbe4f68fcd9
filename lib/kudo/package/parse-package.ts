import { isJsonObject } from '@/lib/json/json';
import { readYamlSource, type YamlSource } from '@/lib/yaml/yaml';
import { KUDO_API_VERSION } from '../types';
import { Fields, type FileContext } from './fields';
import { readOperator } from './operator-file';
import { readParams } from './params-file';
import {
  OPERATOR_FILE,
  type OperatorPackage,
  PARAMS_FILE,
  type PackageFiles,
  type PackageProblem,
  problemAt,
} from './types';

export type ParsedPackage =
  | { readonly ok: true; readonly package: OperatorPackage; readonly warnings: readonly PackageProblem[] }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/**
 * Reads the files of a package (KUDO pkg/kudoctl/packages/reader). The root is where operator.yaml
 * is: the top, or a folder `operator/`, which is how repositories of operators keep them.
 *
 * @param place what messages call the package's root, e.g. its path
 */
export function parsePackage(allFiles: PackageFiles, place = '/'): ParsedPackage {
  const files = packageRoot(allFiles);
  for (const name of [OPERATOR_FILE, PARAMS_FILE]) {
    if (files.has(name)) continue;
    const problem = problemAt(name, 0, `operator package missing ${name} in ${place}`);
    return { ok: false, problems: [{ ...problem, rule: 'missing-file', subject: name }] };
  }
  const operatorFile = readFile(files, OPERATOR_FILE, 'failed to unmarshal operator file: ');
  const paramsFile = readFile(files, PARAMS_FILE, 'failed to unmarshal parameters file: params.yaml: ');
  if (operatorFile.fields === undefined && operatorFile.problems.length === 0) {
    operatorFile.problems.push(problemAt(OPERATOR_FILE, 1, 'failed to parse yaml into valid operator operator.yaml'));
  }
  const params = paramsFile.fields === undefined ? { parameters: [], groups: [] } : readParams(paramsFile.fields);
  const operator = operatorFile.fields === undefined ? undefined : readOperator(operatorFile.fields, params.parameters);
  const problems = [...operatorFile.problems, ...paramsFile.problems];
  if (operator === undefined || problems.length > 0) return { ok: false, problems };
  const sources = { [OPERATOR_FILE]: operatorFile.source, [PARAMS_FILE]: paramsFile.source };
  return {
    ok: true,
    package: {
      operator,
      ...params,
      templates: templatesOf(files),
      lineOf: (file, path) => sources[file]?.lineOf(path) ?? 1,
    },
    warnings: versionsAsNumbers(operatorFile),
  };
}

/** The files below the package's root, their paths relative to it. */
export function packageRoot(files: PackageFiles): PackageFiles {
  if (files.has(OPERATOR_FILE) || !files.has(`operator/${OPERATOR_FILE}`)) return files;
  const below = [...files].filter(([path]) => path.startsWith('operator/'));
  return new Map(below.map(([path, text]) => [path.slice('operator/'.length), text]));
}

interface ReadFile {
  readonly source: YamlSource | undefined;
  readonly fields: Fields | undefined;
  readonly problems: PackageProblem[];
}

function readFile(files: PackageFiles, file: string, prefix: string): ReadFile {
  const problems: PackageProblem[] = [];
  const read = readYamlSource(files.get(file) ?? '');
  if (!read.ok) {
    problems.push(...read.problems.map(({ line, message }) => problemAt(file, line, `${prefix}${message}`)));
    return { source: undefined, fields: undefined, problems };
  }
  const { source } = read;
  if (source.value === null) return { source, fields: undefined, problems };
  if (!isJsonObject(source.value)) {
    problems.push(problemAt(file, 1, `${prefix}it must be a map`));
    return { source, fields: undefined, problems };
  }
  const context: FileContext = { file, problems, lineOf: source.lineOf };
  const fields = new Fields(source.value, [], context);
  const apiVersion = fields.text('apiVersion');
  if (apiVersion !== undefined && apiVersion !== KUDO_API_VERSION) {
    const message = `${prefix}expecting supported API version ${KUDO_API_VERSION} but got ${apiVersion}`;
    problems.push(problemAt(file, source.lineOf(['apiVersion']), message));
  }
  return { source, fields, problems };
}

/** YAML reads an unquoted version as a number and drops trailing zeros: `1.10` becomes `1.1`. */
function versionsAsNumbers({ fields, source }: ReadFile): PackageProblem[] {
  const names = ['operatorVersion', 'appVersion', 'kubernetesVersion', 'kudoVersion'];
  return names
    .filter((name) => fields?.isNumber(name) === true)
    .map((name) => {
      const message = `"${name}" is written as a number and read as ${fields?.text(name) ?? ''}; put it in quotes`;
      return {
        ...problemAt(OPERATOR_FILE, source?.lineOf([name]) ?? 1, message),
        rule: 'version-as-number',
        subject: name,
      };
    });
}

/** Templates by key. The key is the path below `templates/`; only files that end in `.yaml` are templates. */
function templatesOf(files: PackageFiles): Map<string, string> {
  const paths = [...files.keys()].filter((path) => path.startsWith('templates/') && path.endsWith('.yaml'));
  return new Map(paths.sort(byWalk).map((path) => [templateKey(path), files.get(path) ?? '']));
}

/** The text after the last `templates/` (KUDO keeps only that). */
export function templateKey(path: string): string {
  return path.slice(path.lastIndexOf('templates/') + 'templates/'.length);
}

/** Lexical order of a walk through folders: compares part by part. */
export function byWalk(a: string, b: string): number {
  const [as, bs] = [a.split('/'), b.split('/')];
  for (let index = 0; index < Math.min(as.length, bs.length); index++) {
    const [x = '', y = ''] = [as[index], bs[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return as.length - bs.length;
}
