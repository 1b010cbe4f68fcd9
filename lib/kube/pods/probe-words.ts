import { arrayAt, getAt, isJsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';

/** A probe of a container: what it asks, and how often. */
export interface ProbeWords {
  readonly kind: 'startup' | 'readiness' | 'liveness';
  /** `GET :8080/healthz`, `connects to :5432`, `runs pg_isready -q`. */
  readonly asks: string;
  /** `every 10 s, 3 failures`. */
  readonly rhythm: string;
}

const KINDS = ['startup', 'readiness', 'liveness'] as const;

/** The probes of a container in the order in which the kubelet begins them. */
export function probesOf(container: JsonValue): ProbeWords[] {
  return KINDS.flatMap((kind) => {
    const probe = getAt(container, `${kind}Probe`);
    return isJsonObject(probe) ? [{ kind, asks: askedBy(probe), rhythm: rhythmOf(probe) }] : [];
  });
}

function askedBy(probe: JsonValue): string {
  const port = (...path: string[]) => String(getAt(probe, ...path, 'port') ?? '');
  if (isJsonObject(getAt(probe, 'httpGet'))) {
    const scheme = stringAt(probe, 'httpGet', 'scheme') === 'HTTPS' ? 'HTTPS ' : '';
    return `${scheme}GET :${port('httpGet')}${stringAt(probe, 'httpGet', 'path') ?? '/'}`;
  }
  if (isJsonObject(getAt(probe, 'tcpSocket'))) return `connects to :${port('tcpSocket')}`;
  if (isJsonObject(getAt(probe, 'grpc'))) return `gRPC :${port('grpc')}`;
  return `runs ${arrayAt(probe, 'exec', 'command').map(String).join(' ')}`;
}

/** With the defaults of the API server. */
function rhythmOf(probe: JsonValue): string {
  const failures = numberAt(probe, 'failureThreshold') ?? 3;
  const first = numberAt(probe, 'initialDelaySeconds') ?? 0;
  const after = first > 0 ? `after ${first} s, ` : '';
  return `${after}every ${numberAt(probe, 'periodSeconds') ?? 10} s, ${failures} ${failures === 1 ? 'failure' : 'failures'}`;
}
