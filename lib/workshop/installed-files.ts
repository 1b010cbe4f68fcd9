import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles } from '@/lib/kudo/package/types';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { parametersOf } from '@/lib/kudo/parameters/parameters';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';

/**
 * An OperatorVersion of the cluster as files, to compare a draft with: templates as they are, operator.yaml and params.yaml written anew
 * from the object, so that comments, maintainers and the order of keys are not those of the author.
 */
export function installedFiles(version: OperatorVersion): PackageFiles {
  const { spec = {} } = version;
  const schema = parameterSchemaOf(version);
  const operator = {
    apiVersion: KUDO_API_VERSION,
    name: spec.operator?.name ?? '',
    operatorVersion: spec.version ?? '',
    ...(spec.appVersion === undefined ? {} : { appVersion: spec.appVersion }),
    tasks: spec.tasks ?? [],
    plans: spec.plans ?? {},
  };
  const parameters = parametersOf(version).map(({ 'value-type': type, ...rest }) => {
    const traits = schema.parameters.get(rest.name);
    return { ...rest, ...(type === undefined ? {} : { type }), ...traits };
  });
  const plain = (value: unknown) => canonicalYaml(JSON.parse(JSON.stringify(value)));
  return new Map([
    [OPERATOR_FILE, plain(operator)],
    [PARAMS_FILE, plain({ apiVersion: KUDO_API_VERSION, parameters })],
    ...Object.entries(spec.templates ?? {}).map(([key, text]): [string, string] => [`templates/${key}`, text]),
  ]);
}
