import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { forbidden, invalid, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkNotNegative, checkOneOf, checkPort, checkPortNumber } from '../validation/numbers';

const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

const HEADER = /^[-A-Za-z0-9]+$/;
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** Probes and lifecycle hooks of a container (Kubernetes pkg/apis/core/validation validateProbe, validateHandler). */
export function validateProbes(container: JsonObject, path: string, faults: Faults): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectOf(container, name);
    if (probe === undefined) continue;
    const field = `${path}.${name}`;
    validateHandler(probe, field, ['exec', 'httpGet', 'tcpSocket', 'grpc'], faults);
    checkNotNegative(probe, field, NUMBERS, faults);
    const successes = numberOf(probe, 'successThreshold') ?? 1;
    if (name !== 'readinessProbe' && successes > 1) {
      faults.push(invalid(`${field}.successThreshold`, successes, 'must be 1'));
    }
  }
}

function validateHandler(handler: JsonObject, field: string, kinds: readonly string[], faults: Faults): void {
  const given = kinds.filter((kind) => isJsonObject(handler[kind]));
  if (given.length === 0) faults.push(required(field, 'must specify a handler type'));
  for (const [index, kind] of given.entries()) {
    if (index > 0) faults.push(forbidden(`${field}.${kind}`, 'may not specify more than 1 handler type'));
    else validateAction(kind, objectOf(handler, kind) ?? {}, `${field}.${kind}`, faults);
  }
}

function validateAction(kind: string, action: JsonObject, field: string, faults: Faults): void {
  switch (kind) {
    case 'exec':
      if (textsOf(action, 'command').length === 0) faults.push(required(`${field}.command`));
      break;
    case 'httpGet':
      if (textOf(action, 'path') === '') faults.push(required(`${field}.path`));
      checkPort(action.port, `${field}.port`, faults);
      checkOneOf(action.scheme, `${field}.scheme`, ['HTTP', 'HTTPS'], faults);
      for (const { name } of objectsOf(action, 'httpHeaders')) {
        if (!HEADER.test(String(name ?? ''))) faults.push(invalid(`${field}.httpHeaders`, name ?? '', HEADER_TEXT));
      }
      break;
    case 'tcpSocket':
      checkPort(action.port, `${field}.port`, faults);
      break;
    case 'grpc':
      checkPortNumber(action.port, `${field}.port`, faults);
      break;
    default:
      break;
  }
}
