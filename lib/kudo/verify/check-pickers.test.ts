import { describe, expect, it } from 'vitest';
import { APPLY, DEPLOY, OPERATOR_HEAD, uses, verify } from './verify-fixture';

const problemsOf = (parameter: string, name = 'from') => {
  const params = `apiVersion: kudo.dev/v1beta1\nparameters:\n  - name: ${name}\n    default: latest\n${parameter}`;
  const { errors, warnings } = verify({ operator: `${OPERATOR_HEAD}${APPLY}${DEPLOY}`, params, templates: uses(name) });
  return { errors, warnings };
};

describe('the picker of a parameter', () => {
  it('is right for a text', () => {
    expect(problemsOf('    picker: backup\n')).toEqual({ errors: [], warnings: [] });
    expect(problemsOf('    picker: backup\n    type: string\n')).toEqual({ errors: [], warnings: [] });
  });

  it('that nobody knows is a warning', () => {
    expect(problemsOf('    picker: colour\n').warnings).toEqual([
      'parameter "from" has the unknown picker "colour" and is shown as text; known are backup',
    ]);
  });

  it('is wrong for a number and for an enum', () => {
    const error = 'parameter "from" has a picker, so it must be of the type string, without an enum';
    expect(problemsOf('    picker: backup\n    enum: [latest]\n').errors).toEqual([error]);
    expect(problemsOf('    picker: backup\n    type: map\n').errors).toContain(error);
  });

  it.each([
    ['    picker: backup\n    secret: true\n', 'from'],
    ['    picker: backup\n', 'TOKEN'],
  ])('is wrong for a secret', (parameter, name) => {
    expect(problemsOf(parameter, name).errors).toEqual([
      `parameter "${name}" has a picker, but it is secret, so that its value is never shown`,
    ]);
  });
});
