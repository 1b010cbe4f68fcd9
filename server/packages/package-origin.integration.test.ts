import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { OPERATOR, PARAMS, packageFolder } from './package-fixture';
import { packageOrigin } from './package-origin';

describe('the origin of a package', () => {
  const folder = packageFolder();
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]).toString();

  it('is the hash that sha256sum gives, and the commit when there is one', async () => {
    await folder.write({ 'operator.yaml': OPERATOR('pond'), [PARAMS.name]: PARAMS.text, 'templates/B.yaml': 'a: 1\n' });
    const command = "find . -type f | cut -c3- | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -f1 -d' '";
    const dirHash = execFileSync('sh', ['-c', command], { cwd: folder.path }).toString().trim();
    expect(await packageOrigin(folder.path)).toEqual({ dirHash });
    git('init', '-q');
    git('remote', 'add', 'origin', 'https://anna:hidden@git.example/pond.git');
    git('add', '-A');
    git('commit', '-qm', 'pond');
    const commit = git('rev-parse', 'HEAD').trim();
    const origin = await packageOrigin(folder.path);
    expect(origin).toMatchObject({
      dirHash,
      git: { commit, remote: 'https://git.example/pond.git', isDirty: false, time: expect.stringMatching(/Z$/) },
    });
    await folder.write({ 'operator.yaml': OPERATOR('pond', '0.0.2') });
    expect((await packageOrigin(folder.path)).git?.isDirty).toBe(true);
  });
});
