import { formatApiVersion, type GroupVersionResource } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { writeYaml } from '@/lib/yaml/yaml';

/** Bodies of kinds that people make by hand most often; the rest begins with what its schema requires. */
const BODIES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['configmaps', { data: { key: 'value' } }],
  ['secrets', { type: 'Opaque', stringData: { key: 'value' } }],
  ['namespaces', {}],
  ['pods', { spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] } }],
  ['services', { spec: { selector: { app: 'example' }, ports: [{ port: 80 }] } }],
  [
    'deployments.apps',
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'example' } },
        template: {
          metadata: { labels: { app: 'example' } },
          spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] },
        },
      },
    },
  ],
]);

/** The first text of a new object of a kind. */
export function starterText(
  type: GroupVersionResource & { readonly kind: string },
  namespace: string | undefined,
  schema: JsonSchema | undefined,
): string {
  const name = type.group === '' ? type.resource : `${type.resource}.${type.group}`;
  const body = BODIES.get(name) ?? requiredParts(schema);
  const metadata = { name: 'example', ...(namespace === undefined ? {} : { namespace }) };
  return writeYaml({
    apiVersion: formatApiVersion(type.group, type.version),
    kind: type.kind,
    metadata,
    ...(body as object),
  });
}

function requiredParts(schema: JsonSchema | undefined): object {
  const spec = schema?.properties?.spec;
  return spec === undefined ? {} : { spec: example(spec, 0) };
}

const MAX_DEPTH = 4;

/** A value that shows the shape: required members, defaults where there are some. */
function example(schema: JsonSchema, depth: number): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return schema.items === undefined || depth >= MAX_DEPTH ? [] : [example(schema.items, depth + 1)];
    case 'object': {
      if (depth >= MAX_DEPTH) return {};
      const required = (schema.required ?? []).flatMap((key) => {
        const member = schema.properties?.[key];
        return member === undefined ? [] : [[key, example(member, depth + 1)] as const];
      });
      return Object.fromEntries(required);
    }
    default:
      return '';
  }
}
