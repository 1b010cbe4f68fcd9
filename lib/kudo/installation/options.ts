/** How people sign in to a console in a cluster; `kubeconfig` is for one person's own machine. */
export const CONSOLE_SIGN_INS = ['token', 'oidc', 'proxy'] as const;
export type ConsoleSignIn = (typeof CONSOLE_SIGN_INS)[number];

/** What the controller may do: the documented narrow role, or everything, as KUDO's manager. */
export const CONTROLLER_ROLES = ['narrow', 'cluster-admin'] as const;
export type ControllerRole = (typeof CONTROLLER_ROLES)[number];

export interface ConsoleInstallation {
  readonly signIn: ConsoleSignIn;
  /** The address that people use, `https://bravo.example.org`; undefined while the console is reached by port-forward only. */
  readonly url: string | undefined;
  /** Whether the console's account may impersonate people, which the sign-ins `proxy` and, without `--oidc-*` at the API server, `oidc` need. */
  readonly mayImpersonate: boolean;
}

/** Where and how controller and console are installed. */
export interface InstallationOptions {
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  /** The controller's account. One of another name than `kudo-manager` exists already and has its rights. */
  readonly serviceAccount: string;
  readonly controllerRole: ControllerRole;
  /** Undefined: no console. */
  readonly console: ConsoleInstallation | undefined;
  /** The only namespaces that are watched, in this order; then nothing is cluster-scoped. Empty: all of them. */
  readonly namespaces: readonly string[];
  /** How many controllers; 2 when absent. */
  readonly controllerReplicas?: number;
  /** Into how many shards the controllers divide the Instances (`BRAVO_SHARDS`); 1 when absent: one controller leads. */
  readonly shards?: number;
}
