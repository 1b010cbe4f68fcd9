// npm run pack-golden [-- --check]: packs the golden files of ../shared into test/golden, or says which packs are not what is there.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { root } from './tree.mjs';

const shared = join(root, '../shared');
const target = join(root, 'test/golden');

/** Each pack with the folder that it is made of and the names of the files that it takes. */
const PACKS = {
  templates: { folder: 'golden/templates', takes: /^(language|sprig|params)\.json$/ },
  api: { folder: 'golden/api', takes: /\.(json|mjs)$/ },
  takeover: { folder: 'golden/takeover', takes: /\.json$/ },
};

/** Where the conformance cases are described: a table row each, which begins with the id of the case. */
const CASES = [
  ['spec/engine.md', /^\| ([A-Z]{3}-\d{2}) \|/gm],
  ['spec/packages.md', /^\| (PKG-\d{3}a?)\b/gm],
  ['spec/cli-and-test-harness.md', /^\| (CLI-\d{3})\b/gm],
];

if (!existsSync(join(shared, 'golden'))) {
  console.error(`${shared}/golden does not exist: the packs can only be renewed beside the reference material.`);
  process.exit(2);
}
const isCheck = process.argv.includes('--check');
const stale = [];
for (const [name, { folder, takes }] of Object.entries(PACKS)) {
  const archive = await archiveOf(join(shared, folder), takes);
  keep(`${name}.tar.gz`, archive, (stored) => gunzipSync(stored), gzip);
}
keep(
  'conformance-cases.txt',
  Buffer.from(caseList()),
  (stored) => stored,
  (text) => text,
);
if (stale.length > 0) console.error(`Not what ${shared} holds: ${stale.join(', ')}. Run "npm run pack-golden".`);
process.exit(stale.length > 0 ? 1 : 0);

/** Writes a file of `test/golden` unless it holds that already: the same content stays the same bytes. */
function keep(name, content, unpack, pack) {
  const path = join(target, name);
  if (existsSync(path) && content.equals(unpack(readFileSync(path)))) return;
  if (isCheck) {
    stale.push(name);
    return;
  }
  const bytes = pack(content);
  writeFileSync(path, bytes);
  console.log(`${relative(root, path)}: ${content.length} bytes, packed ${bytes.length}`);
}

/** A tar archive of some files of a folder: sorted, without owners and times. */
async function archiveOf(folder, takes) {
  const pack = tar.pack();
  const names = readdirSync(folder).filter((name) => takes.test(name));
  for (const name of names.sort()) {
    pack.entry({ name, mtime: new Date(0), mode: 0o644 }, readFileSync(join(folder, name)));
  }
  pack.finalize();
  const chunks = [];
  for await (const chunk of pack) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function gzip(content) {
  const bytes = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  // The field for the operating system, which is no property of the content: unknown.
  bytes[9] = 255;
  return bytes;
}

/** A line a topic: the ids of its cases. */
function caseList() {
  const idsByTopic = new Map();
  for (const [file, row] of CASES) {
    for (const [, id] of readFileSync(join(shared, file), 'utf8').matchAll(row)) {
      const topic = id.slice(0, 3);
      idsByTopic.set(topic, [...(idsByTopic.get(topic) ?? []), id]);
    }
  }
  return [...idsByTopic.values()].map((ids) => `${ids.join(' ')}\n`).join('');
}
