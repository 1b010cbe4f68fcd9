import { arrayAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { specOf } from './workload';

/**
 * Ingress v1: `spec.backend` is `defaultBackend`, a service is `service.{name,port}`, and every path has a type
 * (`ImplementationSpecific` is what it meant before).
 */
export function toIngressV1(object: KubeObject): undefined {
  const spec = specOf(object);
  if (spec.backend !== undefined) {
    spec.defaultBackend ??= toBackendV1(spec.backend);
    delete spec.backend;
  }
  for (const rule of arrayAt(spec, 'rules')) {
    for (const path of arrayAt(rule, 'http', 'paths')) {
      if (!isJsonObject(path)) continue;
      path.pathType ??= 'ImplementationSpecific';
      if (path.backend !== undefined) path.backend = toBackendV1(path.backend);
    }
  }
  return undefined;
}

function toBackendV1(backend: JsonValue): JsonValue {
  if (!isJsonObject(backend) || (backend.serviceName === undefined && backend.servicePort === undefined))
    return backend;
  const { serviceName, servicePort, ...rest } = backend;
  const service: JsonObject = { name: serviceName ?? '' };
  if (servicePort !== undefined) service.port = toPort(servicePort);
  return { ...rest, service };
}

/** A number, also one in quotes, is a port number; anything else is a port's name. */
function toPort(port: JsonValue): JsonObject {
  const isNumber = typeof port === 'number' || (typeof port === 'string' && /^[0-9]+$/.test(port));
  return isNumber ? { number: Number(port) } : { name: String(port) };
}
