import { describe, expect, it } from 'vitest';
import { INSTALLED_BY } from '@/server/kube/install-crds';
import { wantsController } from './wants-controller';

type Access = Parameters<typeof wantsController>[1];

const cluster = (get: () => Promise<unknown>): Access =>
  ({ api: { get }, summary: { isSandbox: false } }) as unknown as Access;
const definition = (annotations: object) => ({ metadata: { name: 'instances.kudo.dev', annotations } });

describe('whether the console starts a controller on a cluster', () => {
  it('starts one where Bravo was installed before', async () => {
    const ours = cluster(async () => definition({ [INSTALLED_BY]: '0.1.0' }));
    expect(await wantsController('auto', ours)).toMatchObject({ run: true });
  });

  it('leaves definitions of somebody else alone, and says what takes them over', async () => {
    const { run, words } = await wantsController(
      'auto',
      cluster(async () => definition({})),
    );
    expect([run, words]).toEqual([false, expect.stringContaining('BRAVO_CONTROLLER=on')]);
  });

  it('says that the definitions are not there only when the API says so', async () => {
    const { words } = await wantsController(
      'auto',
      cluster(async () => undefined),
    );
    expect(words).toContain('not installed');
  });

  it('says that they could not be read, and why, when the person may not read them', async () => {
    const refused = cluster(() =>
      Promise.reject(new Error('customresourcedefinitions "instances.kudo.dev" is forbidden')),
    );
    const { run, words } = await wantsController('auto', refused);
    expect(run).toBe(false);
    expect(words).toContain('could not be read');
    expect(words).toContain('is forbidden');
    expect(words).toContain('BRAVO_CONTROLLER=on');
  });
});
