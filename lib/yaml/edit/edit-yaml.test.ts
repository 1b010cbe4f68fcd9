import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { readYaml } from '../yaml';
import { editYaml } from './edit-yaml';
import { type DocumentEdit, editValue, type YamlPath } from './value-edit';

const DEPLOYMENT = `# What the shop needs.
apiVersion: apps/v1
kind: Deployment
metadata:
  name:   web        # aligned by hand
  labels: {app: web, tier: "front"}
spec:
  replicas: 3 # three zones
  unknown: {a: 1}
  template:
    spec:
      containers:
      # the server
      - name: main
        image: 'nginx:1.29'
        args: ["-c", "a"]   # flow
      # the exporter
      - name: exporter
        image: exporter:1
        command:
        - sh
        - |
          echo one
          echo two
  paused: false

status: {}
`;

describe('an edit of a YAML text', () => {
  it('replaces only the characters of a value', () => {
    const edited = editYaml(DEPLOYMENT, { op: 'set', path: ['spec', 'replicas'], value: 5 });
    expect(edited).toBe(DEPLOYMENT.replace('replicas: 3 #', 'replicas: 5 #'));
    const path = ['spec', 'template', 'spec', 'containers', 0, 'image'];
    expect(editYaml(DEPLOYMENT, { op: 'set', path, value: "it's" })).toBe(
      DEPLOYMENT.replace("'nginx:1.29'", "'it''s'"),
    );
    const script = ['spec', 'template', 'spec', 'containers', 1, 'command', 1];
    expect(editYaml(DEPLOYMENT, { op: 'set', path: script, value: 'echo 1\necho 2\n' })).toBe(
      DEPLOYMENT.replace('echo one', 'echo 1').replace('echo two', 'echo 2'),
    );
  });

  it('adds a key as the last of its map, and an item as the last of its list', () => {
    const key = editYaml(DEPLOYMENT, { op: 'set', path: ['spec', 'strategy', 'type'], value: 'Recreate' });
    expect(key).toBe(DEPLOYMENT.replace('  paused: false\n', '  paused: false\n  strategy:\n    type: Recreate\n'));
    const item = editYaml(DEPLOYMENT, {
      ...{ op: 'set', path: ['spec', 'template', 'spec', 'containers', 2], value: { name: 'b', image: 'yes' } },
    });
    expect(item).toBe(DEPLOYMENT.replace('  paused', '      - name: b\n        image: "yes"\n  paused'));
    expect(editYaml('a: 1', { op: 'set', path: ['b'], value: '0644' })).toBe('a: 1\nb: "0644"\n');
  });

  it('moves and removes items together with the comments above them, and renames a key in its place', () => {
    const path = ['spec', 'template', 'spec', 'containers'];
    const moved = editYaml(DEPLOYMENT, { op: 'move', path, from: 1, to: 0 }) ?? '';
    expect(moved.length).toBe(DEPLOYMENT.length);
    expect(moved).toMatch(/echo two\n(.|\n)*- name: main/);
    const removed = editYaml(DEPLOYMENT, { op: 'remove', path: [...path, 1] });
    expect(removed).not.toContain('exporter');
    expect(removed).toContain('# the server');
    expect(editYaml('a: 1 # one\nb: 2\n', { op: 'rename', path: [], from: 'a', to: 'c: d' })).toBe(
      '"c: d": 1 # one\nb: 2\n',
    );
  });

  it('keeps every comment where the layout needs the tree: flow style, the first key behind a dash, the last key of a map', () => {
    const edits: DocumentEdit[] = [
      { op: 'set', path: ['metadata', 'labels', 'zone'], value: 'a' },
      { op: 'remove', path: ['spec', 'template', 'spec', 'containers', 1, 'name'] },
      { op: 'set', path: ['status', 'phase'], value: 'Ready' },
      { op: 'remove', path: ['spec', 'unknown', 'a'] },
    ];
    for (const edit of edits) {
      const edited = editYaml(DEPLOYMENT, edit) ?? '';
      for (const comment of [
        '# What the shop needs.',
        '# aligned by hand',
        '# three zones',
        '# flow',
        '# the server',
      ]) {
        expect(edited, JSON.stringify(edit)).toContain(comment);
      }
      expect(edited, 'lists keep their indentation').toContain(
        '      containers:\n      # the server\n      - name: main',
      );
    }
    expect(editYaml('spec: {}\n', { op: 'set', path: ['spec', 'size'], value: 1 })).toBe('spec:\n  size: 1\n');
    expect(editYaml('spec:\n', { op: 'set', path: ['spec', 'size'], value: 1 })).toBe('spec:\n  size: 1\n');
  });

  it('refuses what cannot be changed alone, and texts that cannot be read', () => {
    const anchored = 'a: &x {n: 1}\nb: *x\n';
    expect(editYaml(anchored, { op: 'set', path: ['a', 'n'], value: 2 })).toBeUndefined();
    expect(editYaml('a: [', { op: 'set', path: ['a'], value: 2 })).toBeUndefined();
    expect(editYaml('a: 1', { op: 'remove', path: ['b'] })).toBeUndefined();
    expect(editYaml('a: 1', { op: 'set', path: ['a', 'b'], value: 1 })).toBeUndefined();
  });

  it('reads as the edited value after hundreds of random edits, whatever styles they leave', () => {
    const random = seededRandom('forms');
    const pick = <T>(from: readonly T[]): T => from[randomInteger(random, from.length)] as T;
    let [text, value] = [DEPLOYMENT, readOf(DEPLOYMENT)];
    let refused = 0;
    for (let round = 0; round < 150; round++) {
      const edit = randomEdit(value, pick);
      const wanted = editValue(value, edit);
      const edited = editYaml(text, edit);
      if (edited === undefined || wanted === undefined) {
        refused += wanted === undefined ? 0 : 1;
        continue;
      }
      expect(jsonEqual(readOf(edited), wanted), JSON.stringify(edit)).toBe(true);
      const isUsable = edited.length < 2_500 && Object.keys(wanted ?? {}).length > 2;
      [text, value] = isUsable ? [edited, wanted] : [DEPLOYMENT, readOf(DEPLOYMENT)];
    }
    expect(refused).toBeLessThan(6);
  });
});

function readOf(text: string): JsonValue {
  const read = readYaml(text);
  if (!read.ok) throw new Error(`${read.problems[0]?.message}\n${text}`);
  return read.value;
}

const VALUES: readonly JsonValue[] = [
  ...[0, -1.5, true, null, '', 'no', '1e3', '- x', 'a: b # c', 'two\nlines\n', '  indented\n\ntext', '\ttab', 'ü'],
  ...[[], {}, ['x', { y: [] }], { a: { b: [1, 2] }, 'c.d/e': '*' }],
];

function randomEdit(value: JsonValue, pick: <T>(from: readonly T[]) => T): DocumentEdit {
  const places = [...pathsOf(value)];
  const path = pick(places);
  const here = at(value, path);
  const list = Array.isArray(here) ? here : undefined;
  switch (pick(['set', 'add', 'remove', 'move', 'rename'])) {
    case 'move':
      if (list !== undefined && list.length > 1) return { op: 'move', path, from: list.length - 1, to: 0 };
      return { op: 'set', path, value: pick(VALUES) };
    case 'rename':
      if (isJsonObject(here) && Object.keys(here).length > 0) {
        return { op: 'rename', path, from: pick(Object.keys(here)), to: pick(['new', 'yes', 'a b', '1', 'x#y: z']) };
      }
      return { op: 'set', path, value: pick(VALUES) };
    case 'remove':
      return { op: 'remove', path };
    case 'add':
      if (list !== undefined) return { op: 'set', path: [...path, list.length], value: pick(VALUES) };
      if (isJsonObject(here)) return { op: 'set', path: [...path, pick(['p', 'on', 'q.r', '7'])], value: pick(VALUES) };
      return { op: 'set', path, value: pick(VALUES) };
    default:
      return { op: 'set', path, value: pick(VALUES) };
  }
}

function* pathsOf(value: JsonValue, path: YamlPath = []): Generator<YamlPath> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield* pathsOf(member as JsonValue, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function at(value: JsonValue, path: YamlPath): JsonValue {
  return path.reduce<JsonValue>((each, part) => (each as { [key: string]: JsonValue })[part] ?? null, value);
}
