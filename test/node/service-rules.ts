import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type ServiceObjects, targetsOf } from './endpoints';

/**
 * The rules of nftables that send connections of our pods from the addresses of Services to their endpoints in turn, as kube-proxy
 * does. Rules match the range of our pods: other agents on this machine may have Services with the same addresses. A Service
 * without endpoints refuses connections. A pod that reaches itself is masqueraded, so that the answer comes back the same way.
 */
export function serviceRules(table: string, podRange: string, { services, slices }: ServiceObjects): string {
  const nat: string[] = [];
  const refused = new Set<string>();
  const own = new Set<string>();
  for (const service of services) {
    const address = stringAt(service, 'spec', 'clusterIP') ?? '';
    if (!/^\d+\./.test(address)) continue;
    refused.add(address);
    for (const port of arrayAt(service, 'spec', 'ports')) {
      const targets = targetsOf(service, stringAt(port, 'name') ?? '', slices);
      if (targets.length === 0) continue;
      for (const target of targets) own.add(target.address);
      const protocol = (stringAt(port, 'protocol') ?? 'TCP').toLowerCase();
      const match = `ip saddr ${podRange} ip daddr ${address} ${protocol} dport ${numberAt(port, 'port')}`;
      const turns = targets.map((target, turn) => `${turn} : ${target.address} . ${target.port}`).join(', ');
      nat.push(`${match} dnat ip to numgen inc mod ${targets.length} map { ${turns} }`);
    }
  }
  const reject = [...refused].map((address) => `ip saddr ${podRange} ip daddr ${address} reject`);
  const hairpin = [...own].map((address) => `ip saddr ${address} ip daddr ${address} masquerade`);
  return [
    // Replaces the whole table at once, whether it exists or not.
    `table ip ${table} {`,
    '}',
    `delete table ip ${table}`,
    `table ip ${table} {`,
    ...chain('prerouting', 'type nat hook prerouting priority -100;', nat),
    ...chain('forward', 'type filter hook forward priority 0;', reject),
    ...chain('postrouting', 'type nat hook postrouting priority 100;', hairpin),
    '}',
    '',
  ].join('\n');
}

function chain(name: string, hook: string, rules: readonly string[]): string[] {
  return [`  chain ${name} {`, `    ${hook}`, ...rules.map((rule) => `    ${rule}`), '  }'];
}
