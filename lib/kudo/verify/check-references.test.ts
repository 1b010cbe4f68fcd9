import { describe, expect, it } from 'vitest';
import { CONFIG, parameters, verify } from './verify-fixture';

const checked = (parameter: string, use = '{{ .Refs.ZK.Name }}') => {
  const templates = { 'x.yaml': `${CONFIG}data:\n  a: "${use}"\n` };
  return verify({ params: parameters(parameter), templates }).all.map(({ path, message }) => `${path} ${message}`);
};

describe('verifyPackage on parameters that name other Instances', () => {
  it('accepts one with an operator and ranges of versions, which templates use as .Refs', () => {
    const said = 'name: ZK, type: instance, required: false, instance: {operator: zookeeper, version: ">=3.4 <4"}';
    expect(checked(said)).toEqual([]);
    expect(checked('name: ZK, type: instance, default: data/zk')).toEqual([]);
  });

  it('names a range that cannot be read, a default that names nothing, and a secret one', () => {
    expect(checked('name: ZK, type: instance, default: "a b", secret: true, instance: {version: "newest"}')).toEqual([
      'params.yaml:2 parameter "ZK" names an Instance and cannot be secret',
      'params.yaml:2 parameter "ZK" has a "version" that is "newest", which is no range of versions such as ">=1.0.0 <2.0.0"',
      'params.yaml:2 parameter "ZK" has an invalid default value: type is "instance" but "a b" names nothing: write NAME, NAMESPACE/NAME, Secret/NAME or ConfigMap/NAME',
    ]);
  });

  it('names a template that uses another parameter as a reference', () => {
    expect(checked('name: ZK, default: x, instance: {operator: a}')).toEqual([
      'params.yaml:2 parameter "ZK" has "instance", which needs "type: instance"',
      'templates/x.yaml:5 template x.yaml uses .Refs.ZK, which is no parameter of type instance',
    ]);
  });
});
