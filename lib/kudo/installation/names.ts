/** Names and labels of the controller are KUDO's, so that KUDO's objects are replaced and KUDO's tools find ours. */
export const SYSTEM_NAMESPACE = 'kudo-system';
export const SERVICE_ACCOUNT = 'kudo-manager';
export const CONTROLLER_NAME = 'kudo-controller-manager';
export const CONTROLLER_SERVICE = 'kudo-controller-manager-service';
/** The binding of KUDO and of older versions of Bravo, to `cluster-admin`. */
export const ROLE_BINDING = 'kudo-manager-rolebinding';
/** The narrow ClusterRole of the controller, its Role in a namespace, and their bindings. */
export const CONTROLLER_ROLE = 'bravo-controller';
export const CONSOLE_NAME = 'bravo-console';
export const CONSOLE_WATCH_ROLE = 'bravo-console-watch';
export const CONSOLE_IMPERSONATE_ROLE = 'bravo-console-impersonate';
/** The Secrets that all consoles share: the keys that encrypt sessions, who has signed out, and sessions that one of them has just renewed. */
export const SESSION_SECRETS = ['bravo-session-keys', 'bravo-sign-outs', 'bravo-renewals'] as const;
/** A ConfigMap of this name, when it exists, adds environment variables to the console. */
export const CONSOLE_SETTINGS = 'bravo-console-settings';
/** The keys of a Secret of this name, when it exists, are files in `/etc/bravo` of the console. */
export const CONSOLE_FILES = 'bravo-console-files';

/** The lease of the controller that leads. */
export const LEASE_NAME = 'bravo-controller';

export const WEBHOOK_PORT = 9443;
export const HEALTH_PORT = 8081;
export const METRICS_PORT = 9464;
export const CONSOLE_PORT = 3000;

export const SYSTEM_LABELS = { app: SERVICE_ACCOUNT } as const;
export const CONTROLLER_LABELS = { ...SYSTEM_LABELS, 'control-plane': 'controller-manager' } as const;
export const CONSOLE_LABELS = { app: CONSOLE_NAME } as const;

/** Annotation of the objects that Bravo installed: its controller may run in this cluster. */
export const INSTALLED_BY = 'bravo.kudo.dev/installed-by';
/**
 * Annotation of the CRD `instances.kudo.dev`: the namespace in which the controllers of this cluster keep their lease and keys. `default` when
 * it is absent. A controller that is started elsewhere finds the lease by it.
 */
export const LEASE_NAMESPACE = 'bravo.kudo.dev/lease-namespace';
/** The CRD with {@link LEASE_NAMESPACE}. */
export const INSTANCES_CRD = 'instances.kudo.dev';
