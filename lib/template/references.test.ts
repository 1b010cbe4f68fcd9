import { expect, it } from 'vitest';
import { templateParameters, templatePipes } from './references';
import { parseTemplate } from './template';

const TEXT = `a: {{ .Params.ONE }}
{{ if eq $.Params.TWO "x" }}{{ range .Params.LIST }}{{ $.Params.IN }}{{ else }}{{ .Params.OTHER }}{{ end }}{{ end }}
{{ define "t" }}{{ .Params.DEFINED | default (upper .Params.ARGUMENT) }}{{ end }}
{{ .Pipes.cert }}{{ .Name }}{{ (.Params.MAP).key }}{{ $x := .Params.SET }}{{ $x.Params.NOT }}`;

it('lists the parameters that a template uses, with their places', () => {
  const found = templateParameters(parseTemplate('t.yaml', TEXT));
  expect(found.map(({ name }) => name)).toEqual([
    'ONE',
    'TWO',
    'LIST',
    'IN',
    'OTHER',
    'DEFINED',
    'ARGUMENT',
    'MAP',
    'SET',
  ]);
  expect(found[0]).toEqual({ name: 'ONE', line: 1, column: 13 });
  expect(found[5]?.line).toBe(3);
});

it('lists the pipes', () => {
  expect(templatePipes(parseTemplate('t.yaml', TEXT))).toEqual([{ name: 'cert', line: 4, column: 9 }]);
});
