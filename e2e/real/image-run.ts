import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startProgram } from '@/test/programs/process';
import type { BuiltImage } from './image-build';

/** A user that no image knows, as OpenShift assigns one. */
export const ARBITRARY_USER = 1_000_660_000;

/**
 * Runs a command of the image with runc as Pod Security "restricted" and our manifests have it: an arbitrary user, no capabilities, no new
 * privileges, a read-only root file system, and a /tmp in memory. It has the network of this process.
 */
export function runImage(
  { root, config }: BuiltImage,
  folder: string,
  { args, env }: { readonly args: readonly string[]; readonly env: { readonly [name: string]: string } },
): Running {
  const bundle = join(folder, `bundle-${args.join('-')}`);
  mkdirSync(bundle);
  const more = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const spec = {
    ociVersion: '1.0.2',
    process: {
      user: { uid: ARBITRARY_USER, gid: 0 },
      args,
      env: [...(config.Env ?? []), ...more],
      cwd: '/app',
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], permitted: [], ambient: [] },
    },
    root: { path: root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'strictatime', 'mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777', 'size=256m'] },
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec));
  const id = `bravo-test-${process.pid}-${args.join('-')}`;
  return startProgram('/usr/sbin/runc', ['--root', join(folder, 'runc'), 'run', '--bundle', bundle, id]);
}
