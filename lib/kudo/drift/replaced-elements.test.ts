import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { threeWayStrategicPatch } from '@/lib/kube/patch/three-way';
import { withReplacedElements } from './replaced-elements';

const schema = builtinSchema({ group: '', version: 'v1', kind: 'Service' });
const service = (...ports: number[]): JsonObject => ({
  spec: { ports: ports.map((port) => ({ name: `p${port % 10}`, port })) },
});
const deleted = (wanted: JsonObject, live: JsonObject) => {
  const patch = threeWayStrategicPatch(withReplacedElements(wanted, wanted, live, schema), wanted, live, schema);
  const ports = ((patch.spec as JsonObject | undefined)?.ports ?? []) as JsonObject[];
  return ports.filter((port) => port.$patch === 'delete').map(({ port }) => port);
};

describe('elements of a merged list whose key was changed', () => {
  it('go when they stand in the place of ours', () => {
    expect(deleted(service(80), service(81))).toEqual([81]);
    expect(deleted(service(80, 90), service(80, 91))).toEqual([91]);
  });

  it('stay when somebody added them', () => {
    expect(deleted(service(80), service(80, 81))).toEqual([]);
    expect(deleted(service(80), service(80))).toEqual([]);
  });
});
