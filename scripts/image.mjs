// npm run image [-- --tag NAME] [--base IMAGE] [--builder IMAGE] [--tool docker|podman|buildah]: builds the image of deploy/Dockerfile with
// the tool that is there. The last line is the name of the image.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, say } from './prepare.mjs';
import { root } from './tree.mjs';

const TOOLS = ['docker', 'podman', 'buildah'];
/** How a tool shows that it can build: docker needs a server besides. */
const TRIAL = { docker: ['info'], podman: ['info'], buildah: ['version'] };

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({
  options: {
    tag: { type: 'string', default: `bravo:v${version}` },
    base: { type: 'string' },
    builder: { type: 'string' },
    tool: { type: 'string' },
  },
});
const tool = values.tool ?? TOOLS.find(works);
if (tool === undefined) fail(`An image is built with ${TOOLS.join(', ')}. None of them works here.`);
if (!TOOLS.includes(tool)) fail(`--tool must be one of ${TOOLS.join(', ')}, not ${tool}.`);

const given = {
  VERSION: version,
  REVISION: git('rev-parse', 'HEAD') || 'unknown',
  // The commit's, so that the same sources give the same labels.
  CREATED: git('log', '-1', '--format=%cI') || '1970-01-01T00:00:00Z',
  BASE: values.base,
  BUILDER: values.builder,
};
const buildArgs = Object.entries(given).flatMap(([name, value]) =>
  value === undefined ? [] : ['--build-arg', `${name}=${value}`],
);
const command = [
  ...(tool === 'buildah' ? ['build', '--layers'] : ['build']),
  '-f',
  'deploy/Dockerfile',
  '-t',
  values.tag,
];
say(`Building ${values.tag} with ${tool} …`);
// More options of the tool, such as --isolation=chroot of buildah in a container.
const more = (process.env.BRAVO_IMAGE_OPTIONS ?? '').split(' ').filter((word) => word !== '');
const { status, error } = spawnSync(tool, [...command, ...buildArgs, ...more, '.'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (error !== undefined) fail(`${tool} could not be started: ${error.message}`);
if (status !== 0) fail(`${tool} could not build the image: exit code ${status}.`);
process.stdout.write(`${values.tag}\n`);

/** @param {string} name */
function works(name) {
  return spawnSync(name, TRIAL[name], { stdio: 'ignore' }).status === 0;
}

/** @param {...string} words */
function git(...words) {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
}
