import { describe, expect, it } from 'vitest';
import { starterText } from '../starter-text';
import { readObjects, rightsToSend, sendOrder } from './send-documents';

describe('readObjects', () => {
  it('reads every document and names those that are no object', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n# only a comment\n---\njust: yaml\n---\nb: [\n';
    expect(readObjects(text).map((each) => (typeof each === 'string' ? each.slice(0, 10) : each.kind))).toEqual([
      'Pod',
      'Document 3',
      'Document 4',
    ]);
  });
});

describe('rightsToSend', () => {
  it('asks for each object of a known kind, in the namespace that it goes to', () => {
    const kind = { group: '', version: 'v1', shortNames: [], verbs: ['create'], custom: false };
    const kinds = [
      { ...kind, resource: 'pods', kind: 'Pod', namespaced: true },
      { ...kind, resource: 'nodes', kind: 'Node', namespaced: false },
    ];
    const of = (name: string, metadata: object = {}) => ({ apiVersion: 'v1', kind: name, metadata });
    expect(
      rightsToSend(['no object', of('Pod'), of('Pod', { namespace: 'b' }), of('Node'), of('Odd')], kinds, 'a'),
    ).toEqual([
      { verb: 'create', group: '', resource: 'pods', namespace: 'a' },
      { verb: 'create', group: '', resource: 'pods', namespace: 'b' },
      { verb: 'create', group: '', resource: 'nodes' },
    ]);
  });
});

describe('sendOrder', () => {
  it('sends what others need first, and keeps the order of the rest; unreadable documents are last', () => {
    const of = (kind: string, apiVersion = 'v1') => ({ apiVersion, kind, metadata: { name: kind } });
    const crd = of('CustomResourceDefinition', 'apiextensions.k8s.io/v1');
    expect(sendOrder([of('Boat', 'e2e.test/v1'), 'broken', of('Pod'), crd, 'broken', of('Namespace')])).toEqual([
      5, 3, 0, 2, 1, 4,
    ]);
  });
});

describe('starterText', () => {
  const type = { group: 'test', version: 'v1', resource: 'things', kind: 'Thing' };

  it('shows what the schema requires, with defaults and first choices', () => {
    const text = starterText(type, 'demo', {
      properties: {
        spec: {
          type: 'object',
          required: ['size', 'mode', 'members'],
          properties: {
            size: { type: 'integer', minimum: 3 },
            mode: { type: 'string', enum: ['fast', 'safe'] },
            members: {
              type: 'array',
              items: { type: 'object', required: ['image'], properties: { image: { type: 'string' } } },
            },
            optional: { type: 'string' },
          },
        },
      },
    });
    expect(readObjects(text)).toEqual([
      {
        apiVersion: 'test/v1',
        kind: 'Thing',
        metadata: { name: 'example', namespace: 'demo' },
        spec: { size: 3, mode: 'fast', members: [{ image: '' }] },
      },
    ]);
  });

  it('has a namespace only where there is one', () => {
    expect(starterText(type, undefined, undefined)).toBe(
      'apiVersion: test/v1\nkind: Thing\nmetadata:\n  name: example\n',
    );
  });
});
