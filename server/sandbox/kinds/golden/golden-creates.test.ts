import { describe, expect, it } from 'vitest';
import { builtinResources } from '@/lib/kube/builtin/builtin';
import type { KubeObject } from '@/lib/kube/object';
import { goldenText } from '@/test/golden/golden-files';
import { builtinStrategy } from '../strategies';

/**
 * Creates of built-in kinds as a real kube-apiserver answered them: the same object goes through its kind here, and must
 * be refused for the same fields or get the same spec.
 */

interface Step {
  method?: string;
  path?: string;
  body?: Record<string, unknown>;
  check?: string;
  expect?: { status?: number; body?: Record<string, unknown> };
}

interface Scenario {
  id: string;
  steps: Step[];
}

interface Create {
  name: string;
  step: Step;
  resource: (typeof builtinResources)[number];
}

const PATH = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/[^/]+)?\/([a-z]+)$/;

/** Variables of a scenario that stand where a name must be valid. */
function filled<T>(value: T): T {
  const names: { readonly [variable: string]: string } = { run: 'r1', ns: 'n1', group: 'g.example.com' };
  return JSON.parse(
    JSON.stringify(value).replace(/\$\{(\w+)\}/g, (text, variable: string) => names[variable] ?? text),
  ) as T;
}

function createsOf(topic: string): Create[] {
  const scenarios = JSON.parse(goldenText('api', `${topic}.json`)) as Scenario[];
  return scenarios.flatMap(({ id, steps }) =>
    // Later steps may depend on what earlier ones left behind; only conflicts do for creates.
    steps.flatMap((step, index) => {
      const match = step.method === 'POST' && typeof step.body === 'object' ? PATH.exec(step.path ?? '') : null;
      const resource = builtinResources.find(
        (type) =>
          match !== null && type.group === (match[1] ?? '') && type.version === match[2] && type.resource === match[3],
      );
      const status = step.expect?.status;
      if (resource === undefined || (status !== 201 && status !== 422) || JSON.stringify(step.body).includes('$repeat'))
        return [];
      return [{ name: `${topic}/${id} step ${index + 1}`, step: filled(step), resource }];
    }),
  );
}

const creates = ['defaults', 'validation', 'services', 'immutability'].flatMap(createsOf);

/** Fields of metadata are checked for every kind alike, not by the kind. */
const ofKind = (field: string) => !field.startsWith('metadata.') || field.startsWith('metadata.annotations[kube');

describe('creates of built-in kinds', () => {
  it.each(creates.map((create) => [create.name, create] as const))('%s', (_name, { step, resource }) => {
    const strategy = builtinStrategy(resource);
    const given = {
      apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
      kind: resource.kind,
      ...step.body,
    };
    const { object } = strategy.decode(given as unknown as KubeObject);
    strategy.applyDefaults(object);
    object.metadata.uid = 'u';
    object.metadata.namespace ??= 'n1';
    const context = { nowMs: 0, subresource: undefined };
    strategy.prepareForCreate(object, context);
    const fields = strategy
      .validateCreate(object, context)
      .map(({ field }) => field)
      .filter(ofKind)
      .sort();
    const details = step.expect?.body?.details as { causes?: { field: string }[] } | undefined;
    expect(fields).toEqual(
      (details?.causes ?? [])
        .map(({ field }) => field)
        .filter(ofKind)
        .sort(),
    );
    const wanted = step.expect?.body?.spec;
    if (fields.length === 0 && wanted !== undefined) expect(comparable(object.spec)).toEqual(comparable(wanted));
  });
});

/** Addresses, ports and uids are given by whoever answers. */
function comparable(spec: unknown): unknown {
  return JSON.parse(
    JSON.stringify(spec, (key, value: unknown) => (key === 'nodePort' ? 'port' : value))
      .replace(/"(10\.0\.0\.\d+|<ip\d+>)"/g, '"ip"')
      .replace(/"(u|<uid\d+>)"/g, '"uid"'),
  );
}
