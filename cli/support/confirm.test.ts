import { describe, expect, it } from 'vitest';
import { instance } from '@/lib/kudo/admission/decision-fixture';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { wipingVersion } from '@/test/operators/destructive-operator';
import { confirmationFor } from './confirm';

const version = wipingVersion('v1');
const wipe = planForChange(instance(), version, { plan: 'wipe' });
const WHAT = 'Plan "wipe" of instance i deletes or replaces data. All data are deleted.';

describe('confirmationFor', () => {
  it('asks nobody about a plan that is not destructive', async () => {
    const deploy = planForChange(instance(), version, { plan: 'deploy' });
    expect(await confirmationFor(deploy, version, {}, () => Promise.reject(new Error('asked')))).toEqual({});
  });

  it('takes the flag, and refuses one for something else', async () => {
    expect(await confirmationFor(wipe, version, { confirm: 'wipe/i' })).toEqual({ 'bravo.kudo.dev/confirm': 'wipe/i' });
    await expect(confirmationFor(wipe, version, { confirm: 'wipe/j' })).rejects.toThrow(
      'plan "wipe" of instance i deletes or replaces data; --confirm wipe/j does not confirm that, --confirm wipe/i does',
    );
  });

  it('asks for the name on a terminal, after it has said what happens', async () => {
    const said: string[] = [];
    const answering = (name: string) => (what: string) => {
      said.push(what);
      return Promise.resolve(name);
    };
    expect(await confirmationFor(wipe, version, {}, answering('i'))).toEqual({ 'bravo.kudo.dev/confirm': 'wipe/i' });
    await expect(confirmationFor(wipe, version, {}, answering('yes'))).rejects.toThrow(
      'plan "wipe" was not started: "yes" is not the name of the instance',
    );
    expect(said).toEqual([WHAT, WHAT]);
  });

  it('refuses without a terminal, and says which flag confirms', async () => {
    await expect(confirmationFor(wipe, version, {}, undefined)).rejects.toThrow(
      'plan "wipe" of instance i deletes or replaces data. To confirm that, add --confirm wipe/i',
    );
  });
});
