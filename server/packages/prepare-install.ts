import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { AdmissionDecision } from '@/lib/kudo/admission/admission-decision';
import { decideAdmission } from '@/lib/kudo/admission/decision';
import { crdOf } from '@/lib/kudo/own-kinds/crd';
import { conversionProblems, newInstance, packageToObjects } from '@/lib/kudo/package/to-objects';
import type { OperatorPackage } from '@/lib/kudo/package/types';
import { missingParameters } from '@/lib/kudo/parameters/parameters';
import { sourceTexts } from '@/lib/kudo/sources/parameter-source';
import type { Instance, Operator, OperatorVersion, ParameterSource } from '@/lib/kudo/types';
import { resolveDependencies } from './dependencies';
import type { LoadedPackage } from './loaded-package';
import type { ResolveContext } from './resolve';

/** An Operator with one version of it. */
export interface OperatorObjects {
  readonly operator: Operator;
  readonly operatorVersion: OperatorVersion;
}

/** Everything that an install creates, before it creates anything. */
export interface PreparedInstall extends OperatorObjects {
  /** The dependencies of KudoOperator tasks, in the order to create them. */
  readonly dependencies: readonly OperatorObjects[];
  /** The CRDs of the kinds that the package and its dependencies bring. */
  readonly crds: readonly KubeObject[];
  readonly instance: Instance;
  /** Required parameters without a value. */
  readonly missing: readonly string[];
  /** The admission decision for the Instance. */
  readonly decision: AdmissionDecision;
}

export interface PrepareInstallOptions {
  readonly loaded: LoadedPackage;
  readonly context: ResolveContext;
  readonly namespace: string;
  /** Name of the Instance; `NAME-instance` by default. */
  readonly instance?: string | undefined;
  readonly parameters?: { readonly [name: string]: string } | undefined;
  readonly parametersFrom?: readonly ParameterSource[] | undefined;
}

/**
 * Builds and checks the objects of an install without a cluster. The console shows them, {@link install} creates them.
 *
 * @throws TerminalError when the package cannot be converted or a dependency cannot be found
 */
export async function prepareInstall(options: PrepareInstallOptions): Promise<PreparedInstall> {
  const { loaded, context, namespace } = options;
  const problems = conversionProblems(loaded.package);
  if (problems.length > 0) {
    throw new TerminalError(`while getting package resources: ${problems.join('\n')}`, 'PackageInvalid');
  }
  const resolved = await resolveDependencies(loaded, context);
  const objects = packageToObjects(resolved.package, { namespace });
  const { parametersFrom = [] } = options;
  const parameters = { ...options.parameters };
  const instance = newInstance(objects.operatorVersion, {
    namespace,
    name: options.instance,
    parameters,
    parametersFrom,
  });
  return {
    ...objects,
    dependencies: resolved.dependencies.map((each) => packageToObjects(each, { namespace })),
    crds: [resolved.package, ...resolved.dependencies].flatMap(crdsOf),
    instance,
    missing: missingParameters(objects.operatorVersion, {
      ...parameters,
      ...sourceTexts({ parametersFrom: [...parametersFrom] }),
    }),
    decision: decideAdmission({
      operation: 'CREATE',
      new: instance,
      newOperatorVersion: objects.operatorVersion,
      newUid: 'preview',
    }),
  };
}

function crdsOf({ operator }: OperatorPackage): KubeObject[] {
  const source = { operator: operator.name, version: operator.operatorVersion };
  return (operator.api ?? []).map((kind) => crdOf(kind, source));
}
