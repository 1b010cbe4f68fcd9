import { limits } from '@/lib/limits/limits';
import {
  DEFAULT_PERIOD_MS,
  DEFAULT_TIMEOUT_MS,
  formatHealthChecks,
  isCheckName,
  MAX_TIMEOUT_MS,
  MIN_PERIOD_MS,
  portOf,
} from '../health-checks/definitions';
import {
  HEALTH_CHECK_KINDS,
  HEALTH_CHECK_MODES,
  HEALTH_CHECK_SCHEMES,
  type HealthCheck,
  type HealthCheckKind,
} from '../health-checks/types';
import { parseDuration } from '../plan/deadlines';
import { defined, type Fields } from './fields';

const KEY = 'healthChecks';

const COMMON = ['name', 'displayName', 'kind', 'pods', 'mode', 'message', 'enabled', 'period', 'timeout'];
const BY_KIND: { readonly [kind in HealthCheckKind]: readonly string[] } = {
  exec: ['container', 'command'],
  http: ['port', 'path', 'scheme'],
  tcp: ['port'],
};

/** The list `healthChecks` of operator.yaml; undefined when the file has none. Unlike KUDO's own keys it is read strictly. */
export function readHealthChecks(fields: Fields): HealthCheck[] | undefined {
  if (!fields.has(KEY)) return undefined;
  const names = new Set<string>();
  const checks = fields.list(KEY, (each) => readCheck(each, names));
  if (checks.length > limits.healthChecks) {
    fields.problem(
      KEY,
      `an operator has at most ${limits.healthChecks} health checks, and this one has ${checks.length}`,
    );
  }
  if ((formatHealthChecks(checks) ?? '').length > limits.healthChecksChars) {
    fields.problem(KEY, `the health checks have more than ${limits.healthChecksChars} characters in all`);
  }
  return checks;
}

function readCheck(fields: Fields, names: Set<string>): HealthCheck {
  const name = fields.text('name') ?? '';
  if (!isCheckName(name)) {
    fields.problem('name', `"${name}" is not a name of a health check: use lower case letters, digits and -`);
  }
  if (names.has(name)) fields.problem('name', `two health checks have the name "${name}"`);
  names.add(name);
  const kind = oneOf(fields, 'kind', HEALTH_CHECK_KINDS) ?? 'exec';
  reportStrangeKeys(fields, kind);
  return {
    name,
    kind,
    mode: oneOf(fields, 'mode', HEALTH_CHECK_MODES, 'all') ?? 'all',
    ...defined({
      displayName: fields.text('displayName'),
      pods: readLabels(fields),
      message: fields.text('message'),
      enabled: fields.text('enabled'),
    }),
    ...(kind === 'exec' ? readExec(fields) : readAddress(fields, kind)),
    periodMs: readTime(fields, 'period', { byDefault: DEFAULT_PERIOD_MS, least: MIN_PERIOD_MS }),
    timeoutMs: readTime(fields, 'timeout', { byDefault: DEFAULT_TIMEOUT_MS, least: 1_000, most: MAX_TIMEOUT_MS }),
  };
}

function readExec(fields: Fields): Pick<HealthCheck, 'command' | 'container'> {
  const command = fields.texts('command') ?? [];
  if (command.length === 0) fields.problem('command', 'a health check of kind exec needs a "command"');
  if (command.length > limits.healthCommandWords) {
    fields.problem('command', `a command has at most ${limits.healthCommandWords} words; put the rest into a script`);
  }
  return { command, ...defined({ container: fields.text('container') }) };
}

function readAddress(fields: Fields, kind: 'http' | 'tcp'): Pick<HealthCheck, 'port' | 'path' | 'scheme'> {
  const port = fields.text('port') ?? '';
  if (!isTemplate(port) && portOf(port) === undefined) {
    fields.problem('port', `a health check of kind ${kind} needs a "port" from 1 to 65535`);
  }
  if (kind === 'tcp') return { port };
  const path = fields.text('path');
  if (path !== undefined && !isTemplate(path) && !path.startsWith('/')) {
    fields.problem('path', '"path" must begin with /');
  }
  const scheme = fields.text('scheme');
  if (scheme !== undefined && !isTemplate(scheme)) oneOf(fields, 'scheme', HEALTH_CHECK_SCHEMES);
  return { port, ...defined({ path, scheme }) };
}

function readLabels(fields: Fields): { [label: string]: string } | undefined {
  return fields.child('pods', (labels) =>
    Object.fromEntries(labels.names().map((label) => [label, labels.text(label) ?? ''])),
  );
}

function readTime(
  fields: Fields,
  name: string,
  { byDefault, least, most }: { byDefault: number; least: number; most?: number },
): number {
  const ms = parseDuration(fields.duration(name) ?? '');
  if (ms === undefined) return byDefault;
  if (ms < least) fields.problem(name, `"${name}" is at least ${least / 1000}s`);
  if (most !== undefined && ms > most) fields.problem(name, `"${name}" is at most ${most / 1000}s`);
  return ms;
}

function oneOf<T extends string>(fields: Fields, name: string, words: readonly T[], byDefault?: T): T | undefined {
  const text = fields.text(name) ?? byDefault;
  const found = words.find((word) => word === text);
  if (found === undefined) fields.problem(name, `"${name}" must be one of ${words.join(', ')}`);
  return found;
}

function reportStrangeKeys(fields: Fields, kind: HealthCheckKind): void {
  const known = new Set([...COMMON, ...BY_KIND[kind]].map((key) => key.toLowerCase()));
  for (const key of fields.names()) {
    if (!known.has(key.toLowerCase())) fields.problem(key, `a health check of kind ${kind} has no key "${key}"`);
  }
}

function isTemplate(text: string): boolean {
  return text.includes('{{');
}
