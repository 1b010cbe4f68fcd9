import { fn, type GoFunctionTable } from './define';

/** Sprig's names for Go's path/filepath on Linux; no file is touched. */
export const pathFunctions: GoFunctionTable = {
  osBase: fn(['string'], (_, path) => base(path)),
  osDir: fn(['string'], (_, path) => clean(path.slice(0, path.lastIndexOf('/') + 1))),
  osClean: fn(['string'], (_, path) => clean(path)),
  osExt: fn(['string'], (_, path) => /\.[^./]*$/.exec(path.slice(path.lastIndexOf('/') + 1))?.[0] ?? ''),
  osIsAbs: fn(['string'], (_, path) => path.startsWith('/')),
};

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  if (end === 0) return '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function clean(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push(part);
  }
  const joined = kept.join('/');
  if (isAbsolute) return `/${joined}`;
  return joined === '' ? '.' : joined;
}
