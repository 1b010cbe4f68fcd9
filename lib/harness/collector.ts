import type { HarnessCommand } from './command';
import type { SuiteFields } from './fields';

/** What is collected when the asserts of a step fail (KUTTL apis testharness/v1beta1 TestCollector). */
export interface HarnessCollector {
  readonly type: string;
  readonly pod: string;
  readonly selector: string;
  readonly namespace: string;
  readonly container: string;
  readonly tail: number;
  readonly command: string;
}

export function readCollector(fields: SuiteFields): HarnessCollector {
  return {
    type: (fields.text('type') ?? '').toLowerCase(),
    pod: fields.text('pod') ?? '',
    selector: fields.text('selector') ?? '',
    namespace: fields.text('namespace') ?? '',
    container: fields.text('container') ?? '',
    tail: fields.count('tail') ?? 0,
    command: fields.text('command') ?? fields.text('cmd') ?? '',
  };
}

const SELECTOR_TAIL = 10;
const WHOLE_LOG = -1;

/** The command line of a collector, or `[collector invalid: REASON]`. */
export function collectorCommand(
  collector: HarnessCollector,
): { readonly line: string } | { readonly invalid: string } {
  const type = collector.type === '' ? (collector.command === '' ? 'pod' : 'command') : collector.type;
  const reason = problemOf(collector, type);
  if (reason !== undefined) return { invalid: `[collector invalid: ${reason}]` };
  const namespace = collector.namespace === '' ? '$NAMESPACE' : collector.namespace;
  const pod = collector.pod === '' ? [] : [collector.pod];
  if (type === 'command') return { line: collector.command };
  if (type === 'events') return { line: ['kubectl get events', ...pod, '-n', namespace].join(' ') };
  return { line: ['kubectl logs --prefix', ...pod, ...logWords(collector, namespace)].join(' ') };
}

function logWords({ selector, container, tail }: HarnessCollector, namespace: string): string[] {
  const lines = tail === 0 ? (selector === '' ? WHOLE_LOG : SELECTOR_TAIL) : tail;
  return [
    ...(selector === '' ? [] : ['-l', selector]),
    '-n',
    namespace,
    ...(container === '' ? ['--all-containers'] : ['-c', container]),
    `--tail=${lines}`,
  ];
}

function problemOf(
  { pod, selector, container, namespace, command }: HarnessCollector,
  type: string,
): string | undefined {
  switch (type) {
    case 'pod':
      if (command !== '') return 'command can NOT be set when type is pod';
      return pod === '' && selector === '' ? 'pod or selector is required' : undefined;
    case 'command':
      if (command === '') return 'command is required';
      return pod + selector + container + namespace === ''
        ? undefined
        : 'pod, namespace, container and selector can NOT be set when type is command';
    case 'events':
      return command === '' ? undefined : 'command can NOT be set when type is events';
    default:
      return `unknown type ${type}`;
  }
}

/** A collector's line as a command of the step. */
export function asCommand(line: string): HarnessCommand {
  return {
    command: line,
    script: '',
    namespaced: false,
    ignoreFailure: true,
    background: false,
    skipLogOutput: false,
    timeout: 0,
  };
}
