import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, temporaryFolder } from '@/test/programs/process';

/** What a process writes into or is found by; everything else is a link to the project. */
const OWN = new Set(['dist', 'package.json', '.git', '.bravo', 'next.config.js']);

/**
 * A folder that is this product in another version: a program that is started from its bundle says so.
 *
 * @returns the folder, and the bundle in it
 */
export async function otherVersion(version: string): Promise<{ readonly folder: string; readonly bundle: string }> {
  const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
  const own: string = await ensureServerBundle();
  const folder = temporaryFolder('version');
  for (const name of readdirSync(projectRoot)) {
    if (!OWN.has(name)) symlinkSync(join(projectRoot, name), join(folder, name));
  }
  const about = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version }));
  cpSync(join(projectRoot, 'next.config.js'), join(folder, 'next.config.js'));
  const bundle = join(folder, 'dist', 'server');
  mkdirSync(bundle, { recursive: true });
  cpSync(own, bundle, { recursive: true });
  return { folder, bundle };
}
