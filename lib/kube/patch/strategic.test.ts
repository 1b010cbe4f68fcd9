import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { builtinSchema } from '../builtin/builtin';
import { PatchError } from './patch-error';
import { applyStrategicPatch } from './strategic-merge';
import { threeWayStrategicPatch } from './three-way';

const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });

const podSpec: JsonObject = {
  containers: [
    {
      name: 'a',
      image: 'a:1',
      env: [
        { name: 'X', value: '1' },
        { name: 'Y', value: '2' },
      ],
      args: ['one', 'two'],
    },
    { name: 'b', image: 'b:1' },
  ],
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'w', configMap: { name: 'cfg' } },
  ],
  tolerations: [{ key: 'a', operator: 'Exists' }],
};

function deployment(spec: JsonObject, rest: JsonObject = {}): JsonObject {
  return { metadata: { name: 'web', ...rest }, spec: { template: { spec } } };
}

function patched(patch: JsonObject): JsonObject {
  const result = applyStrategicPatch(deployment(podSpec), { spec: { template: { spec: patch } } }, schema);
  return (result.spec as { template: { spec: JsonObject } }).template.spec;
}

function failure(run: () => unknown): PatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('the patch was applied');
}

const names = (list: unknown) => (list as { name: string }[]).map((element) => element.name);

describe('applyStrategicPatch', () => {
  it('merges containers by name and puts new ones first', () => {
    const { containers } = patched({
      containers: [
        { name: 'c', image: 'c:1' },
        { name: 'a', image: 'a:2' },
      ],
    });
    expect(names(containers)).toEqual(['c', 'a', 'b']);
    expect(containers).toContainEqual(expect.objectContaining({ name: 'a', image: 'a:2', args: ['one', 'two'] }));
  });

  it.each([
    ['deletes an element', { containers: [{ name: 'b', $patch: 'delete' }] }, ['a']],
    ['replaces a list', { containers: [{ $patch: 'replace' }, { name: 'z' }] }, ['z']],
    ['orders', { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }, ['b', 'a']],
    [
      'orders with a new element',
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }], containers: [{ name: 'c' }] },
      ['a', 'b', 'c'],
    ],
  ])('%s', (_name, patch, wanted) => {
    expect(names(patched(patch as JsonObject).containers)).toEqual(wanted);
  });

  it('replaces lists without a merge strategy and removes by null', () => {
    expect(patched({ tolerations: [{ key: 'b' }] }).tolerations).toEqual([{ key: 'b' }]);
    expect(patched({ tolerations: null })).not.toHaveProperty('tolerations');
    expect(patched({ containers: [{ name: 'a', args: ['x'] }] }).containers).toContainEqual(
      expect.objectContaining({ name: 'a', args: ['x'] }),
    );
  });

  it('takes a list that is replaced as a whole as it stands, words of directives and nulls in it too', () => {
    const wanted = [
      { key: 'b', $patch: 'delete', value: null },
      { $patch: 'replace' },
      { key: 'c', $retainKeys: ['key'] },
    ];
    expect(patched({ tolerations: wanted }).tolerations).toEqual(wanted);
  });

  it('keeps only the retained keys', () => {
    const volume = { name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } };
    expect(patched({ volumes: [volume] }).volumes).toContainEqual({ name: 'v', hostPath: { path: '/x' } });
    expect(failure(() => patched({ $retainKeys: 'x' }))).toMatchObject({ code: 400 });
    expect(failure(() => patched({ $retainKeys: [], hostname: 'x' }))).toMatchObject({ code: 400 });
  });

  it('merges finalizers as a set and deletes from them', () => {
    const before = deployment({}, { finalizers: ['a', 'b'] });
    const after = applyStrategicPatch(before, { metadata: { finalizers: ['b', 'c'] } }, schema);
    expect(after.metadata).toMatchObject({ finalizers: ['a', 'b', 'c'] });
    const less = applyStrategicPatch(after, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }, schema);
    expect(less.metadata).toMatchObject({ finalizers: ['b', 'c'] });
  });

  it('replaces and empties a map by directive', () => {
    const before = deployment({}, { labels: { a: 'b' } });
    const replaced = applyStrategicPatch(before, { metadata: { labels: { $patch: 'replace', e: 'f' } } }, schema);
    expect(replaced.metadata).toMatchObject({ labels: { e: 'f' } });
    const emptied = applyStrategicPatch(before, { metadata: { labels: { $patch: 'delete' } } }, schema);
    expect(emptied.metadata).toMatchObject({ labels: {} });
  });

  it.each([
    [{ containers: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [{ containers: [{ name: 'a', $patch: 'jump' }] }, 'unknown patch type: jump in map: map[$patch:jump name:a]'],
    [
      { '$deleteFromPrimitiveList/tolerations': ['x'] },
      'list element types are not identical: [[map[key:a operator:Exists]] [x]]',
    ],
    [
      { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b', image: 'b:2' }] },
      "The order in patch list:\n[map[image:b:2 name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
  ])('refuses %j in the words of the API', (patch, message) => {
    expect(failure(() => patched(patch as JsonObject))).toMatchObject({ code: 500, message });
  });

  it('changes neither document nor patch, and takes directives out of new values', () => {
    const patch = {
      initContainers: [
        { name: 'i', $patch: 'delete' },
        { name: 'j', env: null },
      ],
    };
    const before = structuredClone(patch);
    expect(patched(patch as unknown as JsonObject).initContainers).toEqual([{ name: 'j' }]);
    expect(patch).toEqual(before);
  });
});

describe('threeWayStrategicPatch', () => {
  const without = (spec: JsonObject, key: string) =>
    Object.fromEntries(Object.entries(spec).filter(([k]) => k !== key));

  it('is empty when nothing differs, whatever others added', () => {
    const wanted = deployment(podSpec);
    const current = { ...deployment({ ...podSpec, hostname: 'foreign' }), status: { replicas: 1 } };
    expect(threeWayStrategicPatch(wanted, wanted, current, schema)).toEqual({});
  });

  it('removes what we no longer want and keeps what others added', () => {
    const original = deployment(podSpec);
    const modified = deployment({
      ...without(podSpec, 'tolerations'),
      containers: [{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }], args: ['one', 'two'] }],
    });
    const current = deployment({
      ...podSpec,
      hostname: 'foreign',
      containers: [...(podSpec.containers as JsonObject[]), { name: 'sidecar', image: 's:1' }],
    });
    const patch = threeWayStrategicPatch(original, modified, current, schema);
    const result = applyStrategicPatch(current, patch, schema) as { spec: { template: { spec: JsonObject } } };
    const spec = result.spec.template.spec;
    expect(spec).toMatchObject({ hostname: 'foreign', volumes: podSpec.volumes });
    expect(spec).not.toHaveProperty('tolerations');
    expect(names(spec.containers).sort()).toEqual(['a', 'sidecar']);
    expect(spec.containers).toContainEqual({
      name: 'a',
      image: 'a:2',
      env: [{ name: 'Y', value: '2' }],
      args: ['one', 'two'],
    });
  });

  it('asks to retain keys where the source of a volume changes', () => {
    const modified = deployment({ ...podSpec, volumes: [{ name: 'v', hostPath: { path: '/x' } }] });
    const patch = threeWayStrategicPatch(deployment(podSpec), modified, deployment(podSpec), schema);
    const result = applyStrategicPatch(deployment(podSpec), patch, schema) as {
      spec: { template: { spec: JsonObject } };
    };
    expect(result.spec.template.spec.volumes).toEqual([{ name: 'v', hostPath: { path: '/x' } }]);
    expect(JSON.stringify(patch)).toContain('"$retainKeys":["hostPath","name"]');
  });

  it('overwrites a field of ours that somebody changed', () => {
    const wanted = { spec: { replicas: 3 } };
    expect(threeWayStrategicPatch(wanted, wanted, { spec: { replicas: 5 } }, schema)).toEqual({
      spec: { replicas: 3 },
    });
  });

  it('removes single finalizers of ours', () => {
    const patch = threeWayStrategicPatch(
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b'] } },
      { metadata: { finalizers: ['a', 'b', 'foreign'] } },
      schema,
    );
    const result = applyStrategicPatch({ metadata: { finalizers: ['a', 'b', 'foreign'] } }, patch, schema);
    expect(result).toEqual({ metadata: { finalizers: ['b', 'foreign'] } });
  });
});
