import { arrayAt, cloneJson, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { templateOf } from '../pods/controller-revisions';
import { podFromTemplate, stringMap } from '../pods/pod-template';

/** Who records the events of StatefulSets. */
export const STATEFUL_SET_CONTROLLER = 'statefulset-controller';
export const REVISION_LABEL = 'controller-revision-hash';

/** `spec.ordinals.start`, 0 by default. */
export function startOrdinal(set: KubeObject): number {
  return numberAt(set, 'spec', 'ordinals', 'start') ?? 0;
}

/** The number at the end of a pod's name, when the rest is the set's; or undefined. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number | undefined {
  const prefix = `${nameOf(set)}-`;
  const name = nameOf(pod);
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : undefined;
}

/** `partition` of a rolling update, 0 by default. */
export function partitionOf(set: KubeObject): number {
  return numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;
}

export function isOnDelete(set: KubeObject): boolean {
  return stringAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete';
}

/** The pod of an ordinal with a revision's template, its identity and its claims' volumes (newStatefulSetPod). */
export function podOf(set: KubeObject, revision: KubeObject, ordinal: number): KubeObject {
  const pod = podFromTemplate(set, templateOf(revision), `${nameOf(set)}-`);
  const name = `${nameOf(set)}-${ordinal}`;
  const spec = objectAt(pod, 'spec');
  spec.hostname = name;
  const subdomain = stringAt(set, 'spec', 'serviceName') ?? '';
  if (subdomain !== '') spec.subdomain = subdomain;
  const volumes = volumesOf(set, spec, name);
  if (volumes.length > 0) spec.volumes = volumes;
  pod.metadata.name = name;
  pod.metadata.labels = {
    ...pod.metadata.labels,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [REVISION_LABEL]: nameOf(revision),
    'statefulset.kubernetes.io/pod-name': name,
  };
  return pod;
}

/** Claims first, then the template's own volumes; a claim template replaces a volume of its name (updateStorage). */
function volumesOf(set: KubeObject, spec: JsonObject, podName: string) {
  const templates = arrayAt(set, 'spec', 'volumeClaimTemplates');
  const names = new Set(templates.map((template) => stringAt(template, 'metadata', 'name') ?? ''));
  const claims = templates.map((template) => {
    const name = stringAt(template, 'metadata', 'name') ?? '';
    return { name, persistentVolumeClaim: { claimName: `${name}-${podName}` } };
  });
  const rest = arrayAt(spec, 'volumes').filter((volume) => !names.has(stringAt(volume, 'name') ?? ''));
  return [...claims, ...rest];
}

/** The claims that the pod of an ordinal needs (getPersistentVolumeClaims). */
export function claimsOf(set: KubeObject, podName: string): KubeObject[] {
  const matchLabels = objectAt(set, 'spec', 'selector', 'matchLabels');
  return arrayAt(set, 'spec', 'volumeClaimTemplates').map((template) => {
    const copy = cloneJson(objectAt(template));
    const metadata = objectAt(copy, 'metadata');
    const annotations = objectAt(metadata, 'annotations');
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `${stringAt(metadata, 'name') ?? ''}-${podName}`,
        namespace: namespaceOf(set),
        labels: stringMap({ ...objectAt(metadata, 'labels'), ...matchLabels }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations: stringMap(annotations) }),
      },
      spec: objectAt(copy, 'spec'),
    };
  });
}
