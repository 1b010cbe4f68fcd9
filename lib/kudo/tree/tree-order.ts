/** Kinds in the order of what people look for; records of controllers come last. */
const FIRST = [
  'Instance',
  'StatefulSet',
  'Deployment',
  'DaemonSet',
  'CronJob',
  'Job',
  'ReplicaSet',
  'Pod',
  'PersistentVolumeClaim',
  'Service',
];
const LAST = ['EndpointSlice', 'ControllerRevision'];

interface Named {
  readonly kind: string;
  readonly name?: string;
  readonly metadata?: { readonly name?: string };
}

/** Workloads first, then by kind and name, names with their numbers: `db-9` before `db-10`. */
export function compareInTree(a: Named, b: Named): number {
  return placeOf(a.kind) - placeOf(b.kind) || NAMES.compare(a.kind, b.kind) || NAMES.compare(nameIn(a), nameIn(b));
}

/** One collator: one for each comparison takes seconds for thousands of pods. */
const NAMES = new Intl.Collator('en', { numeric: true });

function placeOf(kind: string): number {
  const at = FIRST.indexOf(kind);
  if (at >= 0) return at;
  return LAST.includes(kind) ? FIRST.length + 1 + LAST.indexOf(kind) : FIRST.length;
}

function nameIn({ name, metadata }: Named): string {
  return name ?? metadata?.name ?? '';
}
