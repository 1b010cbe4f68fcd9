import { describe, expect, it } from 'vitest';
import { lineOfField } from './locate-field';

const text = 'kind: Thing\nspec:\n  members:\n    - image: a\n    - image: b\ndata:\n  a.b/c: x\n';

describe('lineOfField', () => {
  it.each([
    ['spec.members[1].image', 5],
    ['data[a.b/c]', 7],
    ['.spec.members', 3],
    // What is required and missing is at what would hold it.
    ['spec.members[0].name', 4],
  ])('finds %s in line %i', (field, line) => {
    expect(lineOfField(text, field)).toBe(line);
  });

  it('says nothing of a field that has no place in the text', () => {
    expect([lineOfField(text, 'status'), lineOfField(text, ''), lineOfField('', 'spec')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
