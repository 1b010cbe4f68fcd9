import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export type GoldenPack = 'api' | 'takeover' | 'templates';

/** Path of a file of this folder. Bundled scripts are in `dist/scripts`, as deep below the root as this file. */
const pathOf = (name: string) => fileURLToPath(new URL(`../../test/golden/${name}`, import.meta.url));

const packs = new Map<GoldenPack, ReadonlyMap<string, string>>();

/** The texts of a pack by file name, in the order of the names. Throws when the pack does not exist. */
export function goldenFiles(pack: GoldenPack): ReadonlyMap<string, string> {
  const known = packs.get(pack) ?? membersOf(gunzipSync(readFileSync(pathOf(`${pack}.tar.gz`))));
  packs.set(pack, known);
  return known;
}

/** The text of one file of a pack. Throws when it does not exist. */
export function goldenText(pack: GoldenPack, name: string): string {
  const text = goldenFiles(pack).get(name);
  if (text === undefined) throw new Error(`test/golden/${pack}.tar.gz holds no ${name}`);
  return text;
}

/** Writes the files of a pack into a folder, for programs that read files. */
export function unpackGolden(pack: GoldenPack, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of goldenFiles(pack)) writeFileSync(join(folder, name), text);
}

/** The ids of the conformance cases (`APL-01`, `PKG-144a`), by topic. */
export function conformanceCases(): readonly string[] {
  return readFileSync(pathOf('conformance-cases.txt'), 'utf8').split(/\s+/).filter(Boolean);
}

const BLOCK = 512;

/** Members of a tar archive of plain files (POSIX ustar: name at 0, size in octal at 124, contents in whole blocks). */
function membersOf(archive: Buffer): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = 0;
  while (at < archive.length && archive[at] !== 0) {
    const name = archive.toString('utf8', at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    at += BLOCK;
    members.set(name, archive.toString('utf8', at, at + size));
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
  return members;
}
