import type { Sandbox } from '@/server/sandbox/sandbox';
import type { ControllerReplica } from './replicas';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' } as const;
const NAME = 'bravo-controller';

/** Writes that need no lease: the lease itself, the keys, and what says where the webhook of a process is. */
const UNGUARDED =
  /\/leases(\/|$)|\/events$|mutatingwebhookconfigurations|\/(secrets|configmaps)\/bravo-|\/namespaces\/default\/(secrets|configmaps)$/;

/** Follows the lease, and compares every write of a controller with its holder. */
export class LeaseWatch {
  /** Each holder, and an empty text when it was released, in order. */
  readonly holders: string[] = [];
  /** Writes of a process that did not hold the lease. */
  readonly problems: string[] = [];

  constructor(private readonly sandbox: Sandbox) {
    sandbox.api.watch(LEASES, ({ object }) => {
      if (object.metadata.name !== NAME) return;
      const holder = (object.spec as { holderIdentity?: string } | undefined)?.holderIdentity ?? '';
      if (this.holders.at(-1) !== holder) this.holders.push(holder);
    });
  }

  get holderPid(): number | undefined {
    const spec = this.sandbox.api.get({ ...LEASES, name: NAME })?.spec as { holderIdentity?: string } | undefined;
    const pid = spec?.holderIdentity?.split('/')[1];
    return pid === undefined ? undefined : Number(pid);
  }

  check({ running, proxy }: ControllerReplica): void {
    proxy.answered = ({ method, path }, status) => {
      if (method === 'GET' || status >= 300 || UNGUARDED.test(path)) return;
      if (this.holderPid !== running.child.pid)
        this.problems.push(`${method} ${path} of ${running.child.pid} while ${this.holderPid ?? 'nobody'} led`);
    };
  }
}
