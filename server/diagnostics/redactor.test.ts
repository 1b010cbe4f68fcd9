import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor';

const PEM = `-----BEGIN KEY-----\n${'A'.repeat(64)}\n${'B'.repeat(64)}\n-----END KEY-----\n`;

describe('the redactor of diagnostics', () => {
  const redactor = new Redactor(['canary-1 "x"', 'abc', PEM, 'postgres'], new Set(['postgres']));

  it('masks a value inside of a text, plain, in base64, in JSON and in a URL', () => {
    const base64 = Buffer.from('canary-1 "x"').toString('base64');
    const text = `a canary-1 "x" b ${base64} c ${JSON.stringify('canary-1 "x"')} d ${encodeURIComponent('canary-1 "x"')}`;
    expect(redactor.text(text)).toBe('a ‹secret› b ‹secret› c "‹secret›" d ‹secret›');
  });

  it('masks a short value only where it is the whole text', () => {
    expect(redactor.value({ a: 'abc', b: 'abcd' })).toEqual({ a: '‹secret›', b: 'abcd' });
  });

  it('masks each line of a long value', () => {
    expect(redactor.text(`key: ${'B'.repeat(64)}`)).toBe('key: ‹secret›');
    expect(redactor.text(PEM)).toBe('‹secret›');
  });

  it('leaves a name that is public', () => {
    expect(redactor.value({ name: 'postgres' })).toEqual({ name: 'postgres' });
  });

  it('masks the value of a variable with the name of a secret, and leaves out copies of the object', () => {
    const pod = {
      metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'canary-1 "x"' } },
      spec: {
        containers: [
          {
            env: [
              { name: 'DB_PASSWORD', value: 'other' },
              { name: 'LEVEL', value: 'info' },
            ],
          },
        ],
      },
    };
    expect(redactor.value(pod)).toEqual({
      metadata: { annotations: { note: '‹secret›' } },
      spec: {
        containers: [
          {
            env: [
              { name: 'DB_PASSWORD', value: '‹secret›' },
              { name: 'LEVEL', value: 'info' },
            ],
          },
        ],
      },
    });
  });

  it('masks logs byte by byte', () => {
    const log = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('pass canary-1 "x"\nünd')]);
    const expected = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('pass ‹secret›\nünd')]);
    expect(Buffer.from(redactor.log(log))).toEqual(expected);
  });
});
