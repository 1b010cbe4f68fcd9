import { KUDO_VERSION } from '../names';
import { canonicalYaml } from '../rendering/canonical-yaml';
import { KUDO_API_VERSION } from '../types';
import { newSuiteFiles } from './new-package-suite';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles } from './types';

/** What a new package says of itself. Fields that are empty are left out of operator.yaml. */
export interface NewPackage {
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
  readonly kudoVersion: string;
  readonly kubernetesVersion: string;
  readonly url: string;
  readonly maintainer: { readonly name: string; readonly email: string };
}

/** What `bravo package new NAME` and the workshop write beside the name. */
export const FRESH_PACKAGE: Omit<NewPackage, 'name'> = {
  operatorVersion: '0.1.0',
  appVersion: '0.1.0',
  kudoVersion: KUDO_VERSION,
  kubernetesVersion: '1.25.0',
  url: '',
  maintainer: { name: 'My Name', email: 'MyEmail@invalid' },
};

/** The object that a new package applies, so that the package verifies and installs as it is. */
const TEMPLATE_KEY = 'deploy.yaml';
const TEMPLATE = `# Replace this ConfigMap with the objects of your operator.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}
data:
  operator: {{ .OperatorName }}
`;

/** The files of a new package with one plan, one task, one template and a KUTTL suite. It passes verification and its suite. */
export function newPackageFiles({ maintainer, ...wanted }: NewPackage): PackageFiles {
  const named = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  const operator = canonicalYaml({
    apiVersion: KUDO_API_VERSION,
    ...named,
    maintainers: [{ ...maintainer }],
    tasks: [{ name: 'deploy', kind: 'Apply', spec: { resources: [TEMPLATE_KEY] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'deploy', strategy: 'serial', steps: [{ name: 'deploy', tasks: ['deploy'] }] }],
      },
    },
  });
  return new Map([
    [OPERATOR_FILE, operator],
    [PARAMS_FILE, canonicalYaml({ apiVersion: KUDO_API_VERSION, parameters: [] })],
    [`templates/${TEMPLATE_KEY}`, TEMPLATE],
    ...newSuiteFiles(wanted.name),
  ]);
}
