/** The pages of docs/guide in the order of a reader's way: name of the file and title. */
export const GUIDE_PAGES: readonly (readonly [page: string, title: string])[] = [
  ['console', 'The console'],
  ['console-settings', 'Settings of the console'],
  ['finding-and-selecting', 'Finding and selecting'],
  ['runs', 'Runs'],
  ['schedules', 'Schedules'],
  ['backups', 'Backups in S3, and encrypted backups'],
  ['upgrades', 'Upgrades'],
  ['resource-tree', 'Resource tree'],
  ['pods', 'Pods: containers, logs, terminal'],
  ['workloads', 'Workloads and Nodes'],
  ['forms', 'Creating and editing objects in a form'],
  ['editing-yaml', 'Editing YAML'],
  ['custom-resources', 'Custom resources'],
  ['aggregated-apis', 'Aggregated APIs'],
  ['self-heal', 'Drift, self-heal and leftovers'],
  ['secret-parameters', 'Secret parameters'],
  ['notices', 'Notices'],
  ['repositories', 'Repositories'],
  ['workshop', 'The workshop'],
  ['writing-an-operator', 'Writing an operator'],
  ['testing-an-operator', 'Testing an operator'],
  ['extending-an-operator', 'Extending an operator'],
  ['from-a-chart', 'From manifests or a Helm chart to a package'],
  ['own-kind', 'A kind of your own'],
  ['publishing', 'Publishing packages'],
  ['command-line', 'The command line'],
  ['rights', 'Rights (RBAC)'],
  ['activity', 'Who did what: activity and the audit log'],
  ['usage', 'Usage'],
  ['many-clusters', 'Many clusters'],
  ['sign-in', 'Sign-in'],
  ['settings', 'Settings'],
  ['install-in-a-cluster', 'Install in a cluster'],
  ['controller-in-a-cluster', 'The controller in a cluster'],
  ['ingress', 'Behind an ingress'],
  ['monitoring', 'Monitoring'],
  ['runbooks', 'Runbooks'],
  ['sandbox', 'The sandbox cluster'],
  ['coming-from-kudo', 'Coming from KUDO'],
];

const titles = new Map(GUIDE_PAGES);

/** True for the name of a page of the guide. */
export function isGuidePage(page: string): boolean {
  return titles.has(page);
}

/** The title of a page; its name for one that does not exist. */
export function guideTitle(page: string): string {
  return titles.get(page) ?? page;
}
