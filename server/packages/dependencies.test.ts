import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '@/test/golden/shared-path';
import { PackageCatalogue } from './catalogue';
import { resolveDependencies } from './dependencies';
import { loadArchive, loadPackage } from './loaded-package';
import { archiveOf, OPERATOR, PARAMS, packageFolder } from './package-fixture';
import { resolvePackage } from './resolve';

const NEEDS = (name: string, reference: string, version = '') =>
  `- {name: ${name}, kind: KudoOperator, spec: {package: ${reference}, operatorVersion: "${version}"}}`;

const folder = packageFolder();
const { write } = folder;

describe('dependencies', () => {
  const context = () => ({
    catalogue: new PackageCatalogue({ bundledDir: join(folder.path, 'bundled') }),
    scope: { kind: 'folder', path: folder.path } as const,
  });
  const add = (name: string, version: string, ...needs: string[]) =>
    write({
      [`bundled/${name}-${version}/operator.yaml`]: OPERATOR(
        name,
        version,
        needs.map((need, i) => NEEDS(`t${i}`, need)).join('\n'),
      ),
      [`bundled/${name}-${version}/params.yaml`]: '',
    });
  const resolve = async (name: string) => resolveDependencies(await resolvePackage({ name }, context()), context());
  const names = async (name: string) => (await resolve(name)).dependencies.map(({ operator }) => operator.name);

  it('PKG-129 PKG-130 are found depth first, each once', async () => {
    await add('A', '0.0.1', 'C', 'D');
    await add('C', '0.0.1', 'D');
    await add('D', '0.0.1', 'E');
    await add('E', '0.0.1');
    expect(await names('A')).toEqual(['C', 'D', 'E']);
  });

  it('PKG-124 PKG-126 PKG-131 the error of a cycle names the edge that closes it', async () => {
    await add('A', '0.0.1', 'B');
    await add('B', '0.0.1', 'C', 'E');
    await add('C', '0.0.1', 'D', 'A');
    await add('D', '0.0.1');
    await add('S', '0.0.1', 'S');
    await expect(resolve('A')).rejects.toThrow(
      'cyclic package dependency found when adding package C-0.0.1 -> A-0.0.1',
    );
    await expect(resolve('S')).rejects.toThrow(
      'cyclic package dependency found when adding package S-0.0.1 -> S-0.0.1',
    );
  });

  it('PKG-125 PKG-127 so does the error of a cycle further down', async () => {
    await add('A', '0.0.1', 'B');
    await add('B', '0.0.1', 'C');
    await add('C', '0.0.1', 'B');
    await add('P', '0.0.1', 'Q');
    await add('Q', '0.0.1', 'Q');
    const found = 'cyclic package dependency found when adding package ';
    await expect(resolve('A')).rejects.toThrow(`${found}C-0.0.1 -> B-0.0.1`);
    await expect(resolve('P')).rejects.toThrow(`${found}Q-0.0.1 -> Q-0.0.1`);
  });

  it('PKG-128 PKG-132 the error of a missing one names it and the package that needs it', async () => {
    await add('A', '0.0.1', 'B');
    await expect(resolve('A')).rejects.toThrow(
      'failed to resolve package Operator: "B", OperatorVersion: "any", AppVersion "any", dependency of package A-0.0.1',
    );
  });

  it('PKG-133 a path beside the parent is resolved, and the task is pinned', async () => {
    await write({
      'parent/operator.yaml': OPERATOR('parent', '0.1.0', NEEDS('child', '../child-operator')),
      'parent/params.yaml': '',
      'child-operator/operator.yaml': OPERATOR('child', '0.0.1').replace(
        'operatorVersion',
        'appVersion: 3.2.1\noperatorVersion',
      ),
      'child-operator/params.yaml': '',
    });
    const loaded = await loadPackage(join(folder.path, 'parent'));
    const resolved = await resolveDependencies(loaded, context());
    expect(resolved.dependencies.map(({ operator }) => operator.name)).toEqual(['child']);
    expect(resolved.package.operator.tasks[1]?.spec).toEqual({
      package: 'child',
      operatorVersion: '0.0.1',
      appVersion: '3.2.1',
    });
  });

  it('PKG-134 PKG-135 paths in an archive are looked up only in the archive', async () => {
    const archive = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('parent', '0.1.0', NEEDS('child', '../child-operator')) },
      PARAMS,
      { name: 'child-operator/operator.yaml', text: OPERATOR('child') },
      { name: 'child-operator/params.yaml', text: '' },
    ]);
    const resolved = await resolveDependencies(await loadArchive(archive, 'p.tgz'), context());
    expect(resolved.dependencies.map(({ operator }) => operator.name)).toEqual(['child']);
    const outside = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('p', '0.1.0', NEEDS('x', '../../etc/x')) },
      PARAMS,
    ]);
    await expect(resolveDependencies(await loadArchive(outside, 'p.tgz'), context())).rejects.toThrow('in the archive');
  });

  it.skipIf(sharedPath('kuttl/integration') === undefined)(
    'PKG-144 a parent and its child of the test suites (needs ../shared)',
    async () => {
      const path = sharedPath('kuttl/integration/operator-with-dependencies/parent-operator') ?? '';
      const resolved = await resolveDependencies(await loadPackage(path), context());
      expect(resolved.package.operator.tasks[0]?.spec?.package).toBe('child');
    },
  );
});
