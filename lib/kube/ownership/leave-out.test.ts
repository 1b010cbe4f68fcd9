import { describe, expect, it } from 'vitest';
import { leaveOut } from './leave-out';

const object = {
  metadata: { annotations: { 'a.b/c': '1', a: '2' }, finalizers: ['x', 'y'] },
  spec: {
    replicas: 1,
    containers: [
      { name: 'web', image: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] },
      { name: 'log', image: 'b' },
    ],
  },
};

describe('leaveOut', () => {
  it('takes a field out, and nothing else', () => {
    const { replicas: _, ...spec } = object.spec;
    expect(leaveOut(object, '.spec.replicas')).toEqual({ ...object, spec });
  });

  it('finds elements by their keys, by their value and by their index', () => {
    expect(JSON.stringify(leaveOut(object, '.spec.containers[name="log"].image'))).toContain('{"name":"log"}');
    const port = '.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"].name';
    expect(JSON.stringify(leaveOut(object, port))).toContain('[{"containerPort":80,"protocol":"TCP"}]');
    expect(leaveOut(object, '.metadata.finalizers[="x"]')).toMatchObject({ metadata: { finalizers: ['y'] } });
    expect(leaveOut(object, '.metadata.finalizers[1]')).toMatchObject({ metadata: { finalizers: ['x'] } });
  });

  it('finds keys with dots in them', () => {
    const left = leaveOut(object, '.metadata.annotations.a.b/c');
    expect(left).toMatchObject({ metadata: { annotations: { a: '2' } } });
    expect(JSON.stringify(left)).not.toContain('a.b/c');
  });

  it.each(['.spec.paused', '.spec.containers[name="none"].image', '.spec.replicas.more', 'spec', '[0]', ''])(
    'returns undefined for %j, which does not exist',
    (field) => {
      expect(leaveOut(object, field)).toBeUndefined();
    },
  );
});
