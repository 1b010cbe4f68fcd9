import { describe, expect, it } from 'vitest';
import { inlineSecrets, placeEdit } from './place-edit';
import { fromConfigMap, fromSecret, operatorVersion, resting } from './sources-fixture';

const place = (spec: Parameters<typeof resting>[0], parameters: { [name: string]: string | null }, inline = false) =>
  placeEdit(resting(spec, ''), operatorVersion, { parameters, inline });

describe('the place of an edited value', () => {
  it('is the Secret of the Instance for a secret parameter, and the Instance for any other', () => {
    expect(place({ parameters: { PASSWORD: 'old' } }, { PASSWORD: 'new', SIZE: '3' })).toEqual({
      secrets: { 'i-parameters': { PASSWORD: 'new' } },
      parameters: { PASSWORD: null, SIZE: '3' },
      sources: { PASSWORD: fromSecret('PASSWORD', 'PASSWORD', 'i-parameters') },
      elsewhere: [],
    });
  });

  it('is the key that it comes from already, whatever the name of the parameter', () => {
    const spec = { parametersFrom: [fromSecret('HOST', 'host', 'db')] };
    expect(place(spec, { HOST: 'new' })).toMatchObject({
      secrets: { db: { host: 'new' } },
      parameters: {},
      sources: {},
    });
    expect(place(spec, { HOST: null })).toMatchObject({ secrets: {}, parameters: {}, sources: { HOST: null } });
  });

  it('is the Instance when a person says so', () => {
    expect(place({}, { PASSWORD: 'x' }, true)).toMatchObject({
      secrets: {},
      parameters: { PASSWORD: 'x' },
      sources: {},
    });
    const spec = { parametersFrom: [fromSecret('PASSWORD')] };
    expect(place(spec, { PASSWORD: 'x' }, true)).toMatchObject({
      parameters: { PASSWORD: 'x' },
      sources: { PASSWORD: null },
    });
  });

  it('is left to people when it is a ConfigMap', () => {
    expect(place({ parametersFrom: [fromConfigMap('HOST')] }, { HOST: 'x' }).elsewhere).toEqual(['HOST']);
  });

  it('is to be moved for secret parameters that stand in the Instance', () => {
    expect(inlineSecrets(resting({ parameters: { PASSWORD: 'x', SIZE: '1' } }, ''), operatorVersion)).toEqual([
      'PASSWORD',
    ]);
  });
});
