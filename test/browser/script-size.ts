import { gzipSync } from 'node:zlib';

interface ScriptGoal {
  readonly path: string;
  /** The goal, in KB of gzip. */
  readonly atMost: number;
  /** What no change may exceed: the goal where it is met, else what the page has now. To be lowered with it. */
  readonly holds: number;
}

/** Pages whose scripts have a goal, by the name of the figure. */
export const SCRIPT_GOALS: { readonly [figure: string]: ScriptGoal } = {
  'list-js-gzip-kb': { path: '/instances', atMost: 190, holds: 190 },
  'instance-js-gzip-kb': { path: '/instances/demo/postgres', atMost: 230, holds: 228 },
  'run-js-gzip-kb': { path: '/instances/demo/postgres/runs/postgres-deploy-1', atMost: 250, holds: 241 },
};

/** The scripts that the HTML of a page names, in KB of gzip 9. What a page loads later is not among them. */
export async function scriptKb(base: string, path: string): Promise<number> {
  const html = await (await fetch(base + path)).text();
  const scripts = new Set(
    [...html.matchAll(/<script(?![^>]*noModule)[^>]*\ssrc="([^"]+)"/gi)].map((match) => match[1] ?? ''),
  );
  let bytes = 0;
  for (const script of scripts) {
    bytes += gzipSync(Buffer.from(await (await fetch(base + script)).arrayBuffer()), { level: 9 }).length;
  }
  return bytes / 1_024;
}
