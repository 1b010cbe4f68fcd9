import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { objectOf, objectsOf, textOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

/** What is odd in a pod spec without being wrong (Kubernetes pkg/api/pod warnings). */
export function warnAboutPodSpec(spec: JsonObject, path: string, { warn }: StrategyContext): void {
  if (warn === undefined) return;
  for (const list of ['initContainers', 'containers']) {
    for (const [index, container] of objectsOf(spec, list).entries()) {
      warnAboutContainer(container, `${path}.${list}[${index}]`, warn);
    }
  }
}

function warnAboutContainer(container: JsonObject, path: string, warn: (text: string) => void): void {
  const names = new Set<string>();
  for (const [index, variable] of objectsOf(container, 'env').entries()) {
    const name = textOf(variable, 'name');
    if (names.has(name)) {
      warn(
        `${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
      );
    }
    names.add(name);
  }
  const ports = new Map<string, number>();
  for (const [index, port] of objectsOf(container, 'ports').entries()) {
    const key = `${String(port.containerPort)}/${textOf(port, 'protocol')}/${String(port.hostPort ?? 0)}/${textOf(port, 'hostIP')}`;
    const first = ports.get(key);
    if (first !== undefined) warn(`${path}.ports[${index}]: duplicate port definition with ${path}.ports[${first}]`);
    else ports.set(key, index);
  }
}

/** A pod's name is its hostname. */
export function warnAboutPodName(pod: JsonObject, { warn }: StrategyContext): void {
  const name = textOf(objectOf(pod, 'metadata'), 'name');
  const problems = dnsLabelProblems(name);
  // A name that is none at all is refused anyway.
  if (problems.length === 0 || subdomainProblems(name).length > 0) return;
  const text =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  warn?.(`metadata.name: ${text}: [${problems.join(' ')}]`);
}
