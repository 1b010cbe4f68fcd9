import type { KubeObject } from '@/lib/kube/object';
import {
  CONSOLE_IMPERSONATE_ROLE,
  CONSOLE_LABELS,
  CONSOLE_NAME,
  CONSOLE_WATCH_ROLE,
  CONTROLLER_ROLE,
  ROLE_BINDING,
  SERVICE_ACCOUNT,
  SESSION_SECRETS,
  SYSTEM_LABELS,
} from './names';
import type { ConsoleInstallation, InstallationOptions } from './options';
import { role, roleBinding, serviceAccount } from './rbac';
import {
  CONSOLE_CLUSTER_RULES,
  CONSOLE_IMPERSONATE_RULES,
  CONSOLE_WATCH_RULES,
  CONTROLLER_CLUSTER_RULES,
  CONTROLLER_FORMER_RULES,
  CONTROLLER_HOME_RULES,
  CONTROLLER_RULES,
  consoleHomeRules,
  OWN_NAMESPACE_RULE,
  type Rule,
} from './rules';

/** Where older versions, and controllers outside of the cluster, keep their lease. */
const FORMER_NAMESPACE = 'default';

/** Where a role applies: the name of each namespace, or undefined for the whole cluster. */
const placesOf = ({ namespaces }: InstallationOptions): readonly (string | undefined)[] =>
  namespaces.length === 0 ? [undefined] : namespaces;

const inPlace = (namespace: string | undefined) => (namespace === undefined ? {} : { namespace });

/** The controller's account, its roles and their bindings. Empty when another account is given: that one has its rights already. */
export function controllerRights(options: InstallationOptions): KubeObject[] {
  const { namespace, serviceAccount: name } = options;
  if (name !== SERVICE_ACCOUNT) return [];
  const account = { name, namespace };
  const home = roleWithBinding(`${CONTROLLER_ROLE}-home`, CONTROLLER_HOME_RULES, { namespace, account });
  const former =
    options.namespaces.length > 0 || namespace === FORMER_NAMESPACE
      ? []
      : roleWithBinding(`${CONTROLLER_ROLE}-former`, CONTROLLER_FORMER_RULES, { namespace: FORMER_NAMESPACE, account });
  const own = serviceAccount(name, namespace, SYSTEM_LABELS);
  if (options.controllerRole === 'cluster-admin') {
    return [own, roleBinding({ name: ROLE_BINDING, labels: SYSTEM_LABELS, roleName: 'cluster-admin', account })];
  }
  const rules = options.namespaces.length > 0 ? CONTROLLER_RULES : [...CONTROLLER_RULES, ...CONTROLLER_CLUSTER_RULES];
  const roles = placesOf(options).flatMap((place) =>
    roleWithBinding(CONTROLLER_ROLE, rules, { ...inPlace(place), account }),
  );
  return [own, ...roles, ...home, ...former];
}

/** The console's account, its roles and their bindings. */
export function consoleRights(options: InstallationOptions, console: ConsoleInstallation): KubeObject[] {
  const { namespace } = options;
  const account = { name: CONSOLE_NAME, namespace };
  const rules =
    options.namespaces.length > 0
      ? [...CONSOLE_WATCH_RULES, OWN_NAMESPACE_RULE]
      : [...CONSOLE_WATCH_RULES, ...CONSOLE_CLUSTER_RULES];
  const watch = placesOf(options).flatMap((place) =>
    roleWithBinding(CONSOLE_WATCH_ROLE, rules, { ...inPlace(place), account, labels: CONSOLE_LABELS }),
  );
  const impersonate = console.mayImpersonate
    ? roleWithBinding(CONSOLE_IMPERSONATE_ROLE, CONSOLE_IMPERSONATE_RULES, { account, labels: CONSOLE_LABELS })
    : [];
  return [
    serviceAccount(CONSOLE_NAME, namespace, CONSOLE_LABELS),
    ...watch,
    ...impersonate,
    ...roleWithBinding(`${CONSOLE_NAME}-home`, consoleHomeRules(SESSION_SECRETS), {
      namespace,
      account,
      labels: CONSOLE_LABELS,
    }),
  ];
}

interface RolePlace {
  readonly namespace?: string;
  readonly account: { readonly name: string; readonly namespace: string };
  readonly labels?: { readonly [name: string]: string };
}

function roleWithBinding(name: string, rules: readonly Rule[], place: RolePlace): KubeObject[] {
  const { namespace, account, labels = SYSTEM_LABELS } = place;
  return [
    role(name, labels, rules, namespace),
    roleBinding({ name, labels, roleName: name, account, ...(namespace === undefined ? {} : { namespace }) }),
  ];
}
