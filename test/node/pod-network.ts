import { mkdirSync } from 'node:fs';
import { requireTool, runTool } from './tools';

const PLUGINS = '/usr/lib/cni';

/** Addresses of one agent. Agents on one machine have different numbers, so that they do not meet. */
export interface NodeAddresses {
  /** Where the DNS responder and the kubelet's endpoint listen: an address on the machine's loopback device. */
  readonly node: string;
  readonly podRange: string;
}

export function nodeAddresses(slot: number): NodeAddresses {
  return { node: `10.${200 + slot}.255.1`, podRange: `10.${200 + slot}.0.0/16` };
}

/**
 * Network namespaces of pods, by Debian's plugins `ptp`, `host-local` and `loopback`: each pod has a pair of interfaces to the
 * machine, which forwards. A mount namespace of the agent's own holds the names, so all of it ends with the agent.
 */
export class PodNetwork {
  constructor(
    private readonly slot: number,
    private readonly folder: string,
  ) {}

  async start(): Promise<void> {
    mkdirSync('/run/netns', { recursive: true });
    await requireTool('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
    const { node } = nodeAddresses(this.slot);
    await requireTool('ip', ['address', 'replace', `${node}/32`, 'dev', 'lo']);
  }

  async stop(): Promise<void> {
    const { node } = nodeAddresses(this.slot);
    await runTool('ip', ['address', 'delete', `${node}/32`, 'dev', 'lo']);
  }

  pathOf(uid: string): string {
    return `/run/netns/${uid}`;
  }

  /** Makes the namespace of a pod. Resolves with its address. */
  async attach(uid: string): Promise<string> {
    await requireTool('ip', ['netns', 'add', uid]);
    await this.call('loopback', 'ADD', uid);
    const result = JSON.parse(await this.call('ptp', 'ADD', uid)) as { ips?: { address: string }[] };
    const address = result.ips?.[0]?.address.split('/')[0];
    if (address === undefined) throw new Error('The plugin ptp gave the pod no address.');
    return address;
  }

  async detach(uid: string): Promise<void> {
    await this.call('ptp', 'DEL', uid).catch(() => undefined);
    await runTool('ip', ['netns', 'delete', uid]);
  }

  private call(plugin: 'ptp' | 'loopback', command: 'ADD' | 'DEL', uid: string): Promise<string> {
    const ipam = {
      type: 'host-local',
      dataDir: this.folder,
      ranges: [[{ subnet: nodeAddresses(this.slot).podRange, rangeEnd: `10.${200 + this.slot}.254.254` }]],
      routes: [{ dst: '0.0.0.0/0' }],
    };
    const name = `bravo-node-${this.slot}`;
    const config = { cniVersion: '0.4.0', name, type: plugin, ...(plugin === 'ptp' ? { ipam } : {}) };
    const env = {
      ...{ CNI_COMMAND: command, CNI_CONTAINERID: uid, CNI_NETNS: this.pathOf(uid), CNI_PATH: PLUGINS },
      CNI_IFNAME: plugin === 'ptp' ? 'eth0' : 'lo',
    };
    return requireTool(`${PLUGINS}/${plugin}`, [], { input: JSON.stringify(config), env });
  }
}
