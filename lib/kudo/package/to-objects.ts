import { formatParameterSchema, type ParameterTraits, pickerOf } from '@/lib/kudo/parameters/parameter-schema';
import { formatHealthChecks, HEALTH_CHECKS_ANNOTATION } from '../health-checks/definitions';
import { formatLiveValues, LIVE_VALUES_ANNOTATION } from '../live-values/live-values';
import {
  defaultInstanceName,
  OPERATOR_LABEL,
  operatorVersionName,
  PARAMETER_SCHEMA_ANNOTATION,
  PLAN_METADATA_ANNOTATION,
  SELF_HEAL_ANNOTATION,
} from '../names';
import { API_ANNOTATION } from '../own-kinds/names';
import { formatApi } from '../own-kinds/stored-api';
import { formatPatches, PATCHES_ANNOTATION } from '../patches/object-patches';
import { DEADLINES_ANNOTATION } from '../plan/deadlines';
import { formatPlanMetadata } from '../plan-metadata/plan-metadata';
import {
  type Instance,
  KUDO_API_VERSION,
  type Operator,
  type OperatorVersion,
  type Parameter,
  type ParameterSource,
} from '../types';
import { formatMeters, METER_ANNOTATION } from '../usage/meter';
import { defaultText } from './default-text';
import { defined } from './fields';
import type { OperatorPackage, PackageParameter } from './types';

/** The two objects that a package becomes in a namespace (KUDO pkg/kudoctl/packages/convert). */
export function packageToObjects(
  pkg: OperatorPackage,
  { namespace }: { namespace: string },
): { operator: Operator; operatorVersion: OperatorVersion } {
  return { operator: operatorOf(pkg, namespace), operatorVersion: operatorVersionOf(pkg, namespace) };
}

function operatorOf(pkg: OperatorPackage, namespace: string): Operator {
  const { name, description, kudoVersion, kubernetesVersion, maintainers, url, namespaceManifest } = pkg.operator;
  return {
    apiVersion: KUDO_API_VERSION,
    kind: 'Operator',
    metadata: { name, namespace },
    spec: defined({
      description,
      kudoVersion,
      kubernetesVersion,
      maintainers: maintainers.length > 0 ? maintainers.map((each) => ({ ...each })) : undefined,
      url,
      namespaceManifest,
    }),
  };
}

function operatorVersionOf(pkg: OperatorPackage, namespace: string): OperatorVersion {
  const { name, operatorVersion, appVersion, tasks, plans } = pkg.operator;
  const schema = formatParameterSchema({
    groups: pkg.groups,
    parameters: new Map(pkg.parameters.map((parameter) => [parameter.name, traitsOf(parameter)])),
  });
  const annotations = defined({
    [PARAMETER_SCHEMA_ANNOTATION]: schema,
    [SELF_HEAL_ANNOTATION]: pkg.operator.selfHeal === true ? 'on' : undefined,
    [DEADLINES_ANNOTATION]: pkg.operator.deadlines?.join(', '),
    [HEALTH_CHECKS_ANNOTATION]: formatHealthChecks(pkg.operator.healthChecks ?? []),
    [METER_ANNOTATION]: formatMeters(pkg.operator.meters ?? []),
    [PATCHES_ANNOTATION]: formatPatches(pkg.operator.patches ?? []),
    [PLAN_METADATA_ANNOTATION]: formatPlanMetadata(pkg.operator.planMetadata ?? {}),
    [LIVE_VALUES_ANNOTATION]: formatLiveValues(pkg.operator.liveValues ?? {}),
    [API_ANNOTATION]: formatApi(pkg.operator.api ?? []),
  });
  return {
    apiVersion: KUDO_API_VERSION,
    kind: 'OperatorVersion',
    metadata: {
      name: operatorVersionName(name, operatorVersion, appVersion),
      namespace,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      operator: { kind: 'Operator', name },
      version: operatorVersion,
      ...(appVersion === undefined ? {} : { appVersion }),
      templates: Object.fromEntries(pkg.templates),
      tasks: tasks.map((task) => ({ ...task })),
      parameters: pkg.parameters.map(parameterOf),
      plans: { ...plans },
    },
  };
}

/** What KUDO's CRD has no field for. */
function traitsOf({ group, hint, advanced, secret, picker, reference }: PackageParameter): ParameterTraits {
  return defined({ group, hint, advanced, secret, picker: pickerOf(picker), reference });
}

/** One parameter as the CRD holds it: default and enum as text. */
export function parameterOf(parameter: PackageParameter): Parameter {
  const { name, displayName, description, required, immutable, trigger, type } = parameter;
  return {
    name,
    ...defined({
      displayName,
      description,
      required,
      default: defaultOf(parameter),
      trigger,
      'value-type': type,
      immutable,
      enum: parameter.enum?.map((member) => defaultText(member, type)),
    }),
  };
}

/**
 * A missing default stays missing, except for a list or a map that would then require a value although its file does not
 * say so: KUDO stores the text `null` for it and requires no value, and packages that install there count on that.
 */
function defaultOf({ default: written, type, required, isAsked }: PackageParameter): string | undefined {
  if (written !== undefined) return defaultText(written, type);
  const isComplex = type === 'array' || type === 'map';
  return isComplex && required && !isAsked ? defaultText(null, type) : undefined;
}

/** The Instance that an install creates. */
export function newInstance(
  operatorVersion: OperatorVersion,
  options: {
    namespace: string;
    name?: string | undefined;
    parameters?: { [name: string]: string };
    parametersFrom?: readonly ParameterSource[] | undefined;
  },
): Instance {
  const operator = operatorVersion.spec?.operator?.name ?? '';
  const { parametersFrom = [] } = options;
  return {
    apiVersion: KUDO_API_VERSION,
    kind: 'Instance',
    metadata: {
      name: options.name ?? defaultInstanceName(operator),
      namespace: options.namespace,
      labels: { [OPERATOR_LABEL]: operator },
    },
    spec: {
      operatorVersion: { name: operatorVersion.metadata.name ?? '' },
      parameters: { ...options.parameters },
      ...(parametersFrom.length === 0 ? {} : { parametersFrom: [...parametersFrom] }),
    },
  };
}

/** Problems that stop a conversion, in KUDO's words, one line each. */
export function conversionProblems(pkg: OperatorPackage): string[] {
  const isMissing = (key: string): boolean => !pkg.templates.has(key);
  return pkg.operator.tasks.flatMap(({ name, kind, spec = {} }) => {
    const missing = (keys: readonly string[]): string[] =>
      keys.filter(isMissing).map((key) => `task ${name} missing template: ${key}`);
    switch (kind) {
      case 'Apply':
      case 'Delete':
        return missing(spec.resources ?? []);
      case 'Toggle': {
        const unset = (spec.parameter ?? '') === '' ? [`toggle task ${name} does not have parameter specified`] : [];
        return [...missing(spec.resources ?? []), ...unset];
      }
      case 'Pipe': {
        const empty = (spec.pipe ?? []).length === 0 ? [`task ${name} does not have pipe files specified`] : [];
        return [...missing([spec.pod ?? '']), ...empty];
      }
      case 'KudoOperator':
        return missing(spec.parameterFile === undefined || spec.parameterFile === '' ? [] : [spec.parameterFile]);
      case 'Dummy':
        return [];
      default:
        return [`unknown task kind ${kind}`];
    }
  });
}
