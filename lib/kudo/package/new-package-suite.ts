import { writeYaml } from '@/lib/yaml/yaml';
import { KUDO_API_VERSION } from '../types';

/**
 * The KUTTL suite of a new package by path below the package: it installs the package and asserts its plan and its object.
 *
 * @param operator name of the operator
 */
export function newSuiteFiles(operator: string): Map<string, string> {
  const suite = { apiVersion: 'kuttl.dev/v1beta1', kind: 'TestSuite', testDirs: ['./tests'], timeout: 120 };
  const step = {
    apiVersion: 'kuttl.dev/v1beta1',
    kind: 'TestStep',
    commands: [{ command: `kubectl kudo install ../../ --instance ${operator}`, namespaced: true }],
  };
  const asserts = [
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      metadata: { name: operator },
      status: { planStatus: { deploy: { status: 'COMPLETE' } } },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: operator }, data: { operator } },
  ];
  return new Map([
    ['kudo-test.yaml', writeYaml(suite)],
    ['tests/install/00-install.yaml', writeYaml(step)],
    ['tests/install/00-assert.yaml', asserts.map((each) => writeYaml(each)).join('---\n')],
  ]);
}
