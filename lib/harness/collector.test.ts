import { expect, it } from 'vitest';
import { collectorCommand, readCollector } from './collector';
import { SuiteFields } from './fields';

function line(collector: { [key: string]: string | number }): string {
  const made = collectorCommand(readCollector(new SuiteFields(collector, { file: 'a.yaml', lineOf: () => 1 })));
  return 'line' in made ? made.line : made.invalid;
}

it('HAR-045: a selector collects the last ten lines of all containers', () => {
  expect(line({ selector: 'x=y' })).toBe('kubectl logs --prefix -l x=y -n $NAMESPACE --all-containers --tail=10');
});

it('HAR-046: a pod gives its whole log, a tail limits it', () => {
  expect(line({ pod: 'web' })).toBe('kubectl logs --prefix web -n $NAMESPACE --all-containers --tail=-1');
  expect(line({ pod: 'web', tail: 42, container: 'c', namespace: 'n' })).toBe(
    'kubectl logs --prefix web -n n -c c --tail=42',
  );
});

it('HAR-046: events and commands, and a type in other letters', () => {
  expect(line({ type: 'Events', pod: 'web' })).toBe('kubectl get events web -n $NAMESPACE');
  expect(line({ type: 'events', namespace: 'n' })).toBe('kubectl get events -n n');
  expect(line({ command: 'echo hi' })).toBe('echo hi');
});

it('HAR-046: invalid mixes are named', () => {
  expect(line({ type: 'pod' })).toBe('[collector invalid: pod or selector is required]');
  for (const mix of [
    { type: 'pod', pod: 'a', command: 'b' },
    { type: 'command' },
    { type: 'command', command: 'a', pod: 'b' },
    { type: 'events', command: 'a' },
    { type: 'other' },
  ]) {
    expect(line(mix)).toMatch(/^\[collector invalid: /);
  }
});
