import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { limits } from '@/lib/limits/limits';
import { dockerCredentials } from './docker-credentials';

/** False also for a process that has ended and was not yet waited for. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return !/\) [XZ]/.test(status);
}

describe('the credentials of docker login', () => {
  let folder = '';
  const clock = new VirtualClock();
  const ask = (registry: string) =>
    dockerCredentials({ folder, clock, env: { PATH: `${folder}:/usr/bin:/bin` } })(registry);
  const config = (file: object | string) =>
    writeFile(join(folder, 'config.json'), typeof file === 'string' ? file : JSON.stringify(file));
  const helper = async (name: string, script: string) => {
    const path = join(folder, `docker-credential-${name}`);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-docker-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are none without a file', async () => {
    expect(await ask('r.example')).toBeUndefined();
  });

  it('are in the file', async () => {
    const auth = Buffer.from('anna:hid:den').toString('base64');
    await config({ auths: { 'r.example': { auth } } });
    expect(await ask('r.example')).toEqual({ username: 'anna', password: 'hid:den' });
    expect(await ask('other.example')).toBeUndefined();
    await config({ auths: { 'r.example': { auth: 'bm9uZQ==' } } });
    await expect(ask('r.example')).rejects.toThrow('(auths, r.example) does not hold USER:PASSWORD in base64.');
    await config('[');
    await expect(ask('r.example')).rejects.toThrow('is not a JSON object');
  });

  it('come from a helper, which is asked for the registry', async () => {
    await helper('lab', 'read server; echo "{\\"Username\\":\\"$1-$server\\",\\"Secret\\":\\"hidden\\"}"');
    await config({ credsStore: 'lab' });
    expect(await ask('r.example')).toEqual({ username: 'get-r.example', password: 'hidden' });
  });

  it('are none, or an error without what the helper wrote, when the helper fails', async () => {
    await config({ credHelpers: { 'r.example': 'lab', 'none.example': 'missing' } });
    await helper('lab', 'echo "credentials not found in native keychain"; exit 1');
    expect(await ask('r.example')).toBeUndefined();
    await helper('lab', 'echo hidden; exit 3');
    await expect(ask('r.example')).rejects.toThrow(
      /^docker-credential-lab get ended with 3 for r\.example\. Run `docker login` again\.$/,
    );
    await helper('lab', 'echo {}');
    await expect(ask('r.example')).rejects.toThrow('answered no Username and Secret');
    await expect(ask('none.example')).rejects.toThrow('docker-credential-missing get cannot be started');
  });

  it('are an error when the helper writes without end, and it is ended with all that it has started', async () => {
    await config({ credsStore: 'lab' });
    await helper('lab', `sh -c 'echo $$ > ${folder}/pid; exec cat /dev/zero'; echo never`);
    await expect(ask('r.example')).rejects.toThrow('answered too much');
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid), { interval: 5 }).toBe(false);
  });

  it('are not waited for longer than ten seconds', async () => {
    await config({ credsStore: 'lab' });
    await helper('lab', `touch ${folder}/started; exec sleep 600`);
    const asked = expect(ask('r.example')).rejects.toThrow('docker-credential-lab get did not answer within 10 s');
    // The clock moves once the helper has been started, which is after the file was read.
    await expect
      .poll(
        () =>
          access(join(folder, 'started')).then(
            () => true,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(true);
    await clock.advance(limits.oci.helperMs);
    await asked;
  });
});
