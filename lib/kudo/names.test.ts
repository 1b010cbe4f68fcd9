import { describe, expect, it } from 'vitest';
import {
  childInstanceName,
  defaultInstanceName,
  operatorVersionKey,
  operatorVersionName,
  packageFileName,
  pipeObjectName,
  planTitle,
} from './names';

describe('names', () => {
  it('CRD-05 PKG-030 PKG-031: an OperatorVersion is named after operator, app version and version', () => {
    expect(operatorVersionName('a', '0.1', '1.0')).toBe('a-1.0-0.1');
    expect(operatorVersionName('a', '0.1', '')).toBe('a-0.1');
    expect(operatorVersionName('foo', '1.0.0')).toBe('foo-1.0.0');
  });

  it('PKG-086 PKG-087: a packed package has an underscore between its versions', () => {
    expect(packageFileName('zookeeper', '0.1.0', '3.4.10')).toBe('zookeeper-3.4.10_0.1.0.tgz');
    expect(packageFileName('zookeeper', '0.1.0')).toBe('zookeeper-0.1.0.tgz');
  });

  it('an Instance is named after its operator, a child after its parent', () => {
    expect(defaultInstanceName('zookeeper')).toBe('zookeeper-instance');
    expect(childInstanceName('dummy-instance', 'child')).toBe('dummy-instance-child');
  });

  it('the OperatorVersion is looked up where the reference says, else beside the Instance', () => {
    const metadata = { name: 'i', namespace: 'n1' };
    expect(operatorVersionKey({ metadata, spec: { operatorVersion: { name: 'x' } } })).toEqual({
      namespace: 'n1',
      name: 'x',
    });
    expect(operatorVersionKey({ metadata, spec: { operatorVersion: { name: 'x', namespace: 'n2' } } }).namespace).toBe(
      'n2',
    );
  });

  it('a pipe artifact is named by its place in the plan, letters and digits only', () => {
    const place = { instance: 'Foo-Instance', plan: 'deploy', phase: 'first', step: 'step', task: 'gen_files' };
    expect(pipeObjectName(place, 'Foo')).toBe('fooinstance.deploy.first.step.genfiles.foo');
  });

  it('plan buttons speak in words', () => {
    expect(planTitle('backup')).toBe('Back up');
    expect(planTitle('rotate-keys')).toBe('Rotate keys');
  });
});
