import { describe, expect, it } from 'vitest';
import { enterCommand } from './enter';
import { processOf } from './runtime-spec';

const CONTAINER = { pid: 41, cgroup: '/bravo-node-0/id', hasInput: false };
const SETS = { bounding: ['CAP_CHOWN', 'CAP_SETFCAP'], effective: ['CAP_CHOWN', 'CAP_SETFCAP'] };
const PROCESS = {
  terminal: false,
  user: { uid: 1000, gid: 2000, additionalGids: [2000, 3000], umask: 0o022 },
  args: ['echo', 'a b'],
  env: ['PATH=/bin', 'EMPTY='],
  cwd: '/data',
  capabilities: { ...SETS, permitted: ['CAP_CHOWN', 'CAP_SETFCAP'] },
  noNewPrivileges: true,
};

describe('a command that enters a container', () => {
  it('says who runs it, where, and with which rights and variables', () => {
    const [perl, program, , ...words] = enterCommand(PROCESS, CONTAINER, 'x64') ?? [];
    expect(perl).toBe('perl');
    expect(program).toMatch(/\/test\/node\/enter\.pl$/);
    expect(words).toEqual([
      ...['41', '/bravo-node-0/id', '1000', '2000', '2000,3000', '22', '0000000080000001', '1', '0', '/data'],
      ...['2', 'PATH=/bin', 'EMPTY=', 'echo', 'a b'],
    ]);
  });

  it('needs no runc for what this node gives a container', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop' }, spec: {} };
    const folders = { workingDir: '/', users: '', rootPath: '', networkNamespace: '', cgroupPath: '', mounts: [] };
    const input = { pod, container: { name: 'main' }, args: ['true'], env: new Map([['COLOR', 'red']]), ...folders };
    expect(enterCommand(processOf(input), CONTAINER, 'x64')).toContain('COLOR=red');
  });

  it('is left to runc when the process has something that it does not keep', () => {
    const other = (more: object) => enterCommand({ ...PROCESS, ...more }, CONTAINER, 'x64');
    expect(other({ rlimits: [] })).toBeUndefined();
    expect(other({ terminal: true })).toBeUndefined();
    expect(other({ capabilities: { ...SETS, permitted: [] } })).toBeUndefined();
    expect(other({ capabilities: { ...PROCESS.capabilities, ambient: ['CAP_CHOWN'] } })).toBeUndefined();
    expect(
      other({ capabilities: { bounding: ['CAP_X'], effective: ['CAP_X'], permitted: ['CAP_X'] } }),
    ).toBeUndefined();
  });

  it('is left to runc on a machine whose system calls have other numbers', () => {
    expect(enterCommand(PROCESS, CONTAINER, 's390x')).toBeUndefined();
  });
});
