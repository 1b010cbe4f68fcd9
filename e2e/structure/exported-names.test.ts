import { expect, it } from 'vitest';
import { filesByExportedName } from './exported-names';

const source = (path: string, text: string) => ({ path, text, isTest: false, imports: [] });

it('finds every kind of definition, and leaves out re-exports and the conventions of Next.js', () => {
  const found = filesByExportedName([
    source(
      'lib/a.ts',
      'export interface One {}\nexport const two = 1;\nexport async function three() {}\nconst six = 6;',
    ),
    source('lib/b.ts', "export type One = string;\nexport { four } from './c';\nexport abstract class Five {}"),
    source('app/x/route.ts', 'export const GET = 1;'),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    One: ['lib/a.ts', 'lib/b.ts'],
    two: ['lib/a.ts'],
    three: ['lib/a.ts'],
    Five: ['lib/b.ts'],
  });
});
