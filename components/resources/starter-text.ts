import { formatApiVersion, type GroupVersionResource } from '@/lib/kube/object';
import { requiredMembers } from '@/lib/schema/form/starter-value';
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
  return spec === undefined ? {} : { spec: requiredMembers(spec) };
}
