/** What the kinds that people see most are for, in one sentence. */
const MEANINGS: { readonly [groupResource: string]: string } = {
  '/pods': 'A Pod is one or more containers that run together on a Node. Workloads create and replace pods.',
  '/services': 'A Service gives a set of pods one stable name and address.',
  '/configmaps': 'A ConfigMap holds settings that pods read as files or variables.',
  '/secrets': 'A Secret holds passwords, keys and certificates that pods read.',
  '/persistentvolumeclaims': 'A PersistentVolumeClaim asks for storage that outlives the pods that use it.',
  '/serviceaccounts': 'A ServiceAccount is the identity of pods towards the Kubernetes API.',
  'apps/deployments': 'A Deployment keeps a number of interchangeable pods running, and replaces them step by step.',
  'apps/statefulsets': 'A StatefulSet keeps pods with stable names and volumes of their own, such as a database.',
  'apps/daemonsets': 'A DaemonSet runs one pod on every Node, for example to collect logs.',
  'batch/jobs': 'A Job runs pods until they have succeeded, such as a backup.',
  'batch/cronjobs': 'A CronJob starts a Job at set times.',
  'networking.k8s.io/ingresses': 'An Ingress leads HTTP requests from outside to Services.',
  'policy/poddisruptionbudgets': 'A PodDisruptionBudget limits how many pods are evicted at the same time.',
};

/** The sentence about a kind; undefined for others. */
export function kindMeaning({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string | undefined {
  return MEANINGS[`${group}/${resource}`];
}
