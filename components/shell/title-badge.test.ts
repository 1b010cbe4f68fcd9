import { expect, it } from 'vitest';
import { titleWithBadge } from './title-badge';

it('the title of a tab begins with one number, or none', () => {
  expect(titleWithBadge('Runs – Bravo', 2)).toBe('(2) Runs – Bravo');
  expect(titleWithBadge('(2) Runs – Bravo', 3)).toBe('(3) Runs – Bravo');
  expect(titleWithBadge('(3) Runs – Bravo', 0)).toBe('Runs – Bravo');
  expect(titleWithBadge('✗ Failed (1) – pg', 0)).toBe('✗ Failed (1) – pg');
});
