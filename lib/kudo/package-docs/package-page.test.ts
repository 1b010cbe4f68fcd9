import { describe, expect, it } from 'vitest';
import { parsePackage } from '../package/parse-package';
import { packagePage } from './package-page';

const FILES = new Map([
  [
    'operator.yaml',
    `name: pond
operatorVersion: "1.1.0"
appVersion: "16.9"
kubernetesVersion: "1.25"
description: Water | fish.
maintainers: [{name: Anna, email: anna@example.org}]
tasks:
- {name: app, kind: Dummy, spec: {done: true}}
- {name: child, kind: KudoOperator, spec: {package: lake, operatorVersion: 0.3.0}}
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: parallel, steps: [{name: s, tasks: [app, child]}, {name: t, tasks: [app]}]}]}
  wipe: {displayName: Wipe, description: Empties the pond., destructive: true, strategy: serial, phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [app]}]}]}
`,
  ],
  [
    'params.yaml',
    `groups: [{name: size, displayName: Size, description: How large it is., priority: 10}]
parameters:
- {name: DEPTH, group: size, type: integer, default: 3, description: "In\\nmetres | feet.", immutable: true}
- {name: FISH, enum: [carp, tench], default: carp, trigger: wipe, displayName: Fish}
- {name: PASSWORD, default: hidden}
- {name: NAME, required: true}
`,
  ],
]);

describe('the documentation of a package', () => {
  const page = (readme?: string) => {
    const parsed = parsePackage(FILES);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return packagePage(parsed.package, readme);
  };

  it('has versions, parameters by group, plans and what else is installed', () => {
    expect(page()).toBe(`# pond 16.9

Water | fish.

|  |  |
| --- | --- |
| Operator version | 1.1.0 |
| App version | 16.9 |
| Kubernetes | 1.25 or newer |
| Maintainers | Anna (anna@example.org) |

## Parameters

| Parameter | Type | Default | Description |
| --- | --- | --- | --- |
| \`FISH\` | string | \`carp\` | **Fish** One of \`carp\`, \`tench\`. A change starts the plan \`wipe\`. |
| \`PASSWORD\` | string | ‹secret› | Secret. |
| \`NAME\` | string |  | Required. |

### Size

How large it is.

| Parameter | Type | Default | Description |
| --- | --- | --- | --- |
| \`DEPTH\` | integer | \`3\` | In metres \\| feet. Cannot be changed later. |

## Plans

### deploy

| Phase | Step | Tasks |
| --- | --- | --- |
| main (steps in parallel) | s | \`app\`, \`child\` |
|  | t | \`app\` |

### Wipe (wipe)

Empties the pond. It deletes or replaces data, so each start is confirmed.

| Phase | Step | Tasks |
| --- | --- | --- |
| p | s | \`app\` |

## Installs too

| Package | Version | Task |
| --- | --- | --- |
| lake | 0.3.0 | \`child\` |
`);
  });

  it('ends with the README, whose headings are below those of the page', () => {
    expect(page('# Pond\n\n```\n# a comment\n```\n## Use\n')).toMatch(
      /\n## README\n\n### Pond\n\n```\n# a comment\n```\n#### Use\n$/,
    );
    expect(page(' ')).not.toContain('README');
  });
});
