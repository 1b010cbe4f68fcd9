import { describe, expect, it } from 'vitest';
import { parsePackage } from '@/lib/kudo/package/parse-package';
import { verifyPackage } from '@/lib/kudo/verify/verify';
import { celToTemplate } from './cel-to-template';
import { WEB_RGD } from './rgd-fixture';
import { rgdToPackage } from './rgd-to-package';

function converted(text: string) {
  const result = rgdToPackage('web.yaml', text);
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
  return { ...result, lines: result.notes.map(({ path, message }) => `${path} ${message}`) };
}

function problems(text: string) {
  const result = rgdToPackage('web.yaml', text);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path} ${message}`);
}

describe('a ResourceGraphDefinition', () => {
  it('becomes a package that verifies', () => {
    const { files } = converted(WEB_RGD);
    const parsed = parsePackage(files);
    if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
    const { errors } = verifyPackage(parsed.package);
    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([]);
    expect(parsed.package.parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['NAME', 'string', true],
      ['IMAGE', 'string', false],
      ['REPLICAS', 'integer', false],
      ['INGRESS_ENABLED', 'boolean', false],
      ['INGRESS_HOST', 'string', false],
      ['ENV', 'map', false],
    ]);
    const levels = (parsed.package.operator.plans.deploy?.phases ?? []).map(({ steps }) =>
      steps?.map(({ name }) => name),
    );
    expect(levels).toEqual([
      ['service', 'strange'],
      ['deployment', 'ingress'],
    ]);
  });

  it('has code of templates in the place of expressions', () => {
    const deployment = converted(WEB_RGD).files.get('templates/deployment.yaml') ?? '';
    for (const line of [
      'name: {{ .Params.NAME | quote }}',
      'replicas: {{ int .Params.REPLICAS }}',
      'value: {{ printf "http://%v:80/%v" .Objects.service.spec.clusterIP .Params.NAME | quote }}',
      'value: {{ dig "level" "info" .Objects.settings.data | quote }}',
      'value: {{ ternary "many" "one" (gt (int .Params.REPLICAS) 1) | quote }}',
    ]) {
      expect(deployment).toContain(line);
    }
  });

  it('has rules and reads, and a status of its own kind', () => {
    const { operator } = packageOf(WEB_RGD);
    expect(operator.liveValues?.deployment).toEqual({
      reads: [
        {
          id: 'service',
          apiVersion: 'v1',
          kind: 'Service',
          name: '{{ .Params.NAME }}-svc',
          readyWhen: ['has(self.spec.clusterIP)'],
        },
        { id: 'settings', apiVersion: 'v1', kind: 'ConfigMap', name: 'web-settings', readyWhen: ['has(self.data)'] },
      ],
      rules: [{ resource: 'deployment.yaml', readyWhen: ['self.status.readyReplicas == self.spec.replicas'] }],
    });
    expect(operator.liveValues?.ingress?.rules).toEqual([
      { resource: 'ingress.yaml', includeWhen: ['params.INGRESS_ENABLED'] },
    ]);
    const [kind] = operator.api ?? [];
    expect(kind?.status).toEqual({
      address: '${objects.service.spec.clusterIP}',
      ready: '${objects.deployment.status.readyReplicas > 0}',
      summary: '${string(self.spec.name) + " has " + string(string(objects.deployment.spec.replicas)) + " replicas"}',
      nested: '${{"port": objects.service.spec.ports[0].port}}',
    });
    expect(kind?.instance?.parameters).toMatchObject({
      NAME: '${self.spec.name}',
      ENV: '${self.spec.?env.orValue(null)}',
    });
  });

  it('lists what has no counterpart with its line', () => {
    expect(converted(WEB_RGD).lines).toEqual([
      'web.yaml:74 "forEach" has no counterpart and was left out',
      "web.yaml:81 ${['a', 'b'].map(x, x + 'c').join(',')}: templates have no counterpart of macros such as map and filter",
    ]);
  });

  it('is refused when it is none, has double ids, or goes in a circle', () => {
    expect(problems('kind: ConfigMap')).toEqual(['web.yaml:1 The file has no ResourceGraphDefinition of kro.run.']);
    expect(problems(WEB_RGD.replace('id: service', 'id: deployment'))[0]).toContain('id "deployment" has a duplicate');
    expect(problems(WEB_RGD.replace('ports: [{port: 80}]', 'ports: [{port: "${deployment.spec.replicas}"}]'))).toEqual([
      'web.yaml:25 The resources use each other in a circle, so that none can be first.',
    ]);
    expect(problems(WEB_RGD.replace('image: string', 'image: text'))[0]).toContain('web.yaml:12 "text" is not a type');
  });
});

function packageOf(text: string) {
  const parsed = parsePackage(converted(text).files);
  if (!parsed.ok) throw new Error('it cannot be read');
  return parsed.package;
}

describe('an expression as code of templates', () => {
  const names = {
    fields: [
      { path: ['n'], parameter: 'N', type: 'integer' as const },
      { path: ['a', 'b'], parameter: 'A_B', type: 'string' as const },
      { path: ['l'], parameter: 'L', type: 'array' as const },
    ],
    ids: new Set(['db']),
  };
  const code = (cel: string) => {
    const result = celToTemplate(cel, names);
    return 'problem' in result ? `! ${result.problem}` : result.code;
  };

  it.each([
    ['schema.spec.a.b', '.Params.A_B'],
    ['schema.metadata.name', '.Name'],
    ['schema.spec.n + 1', '(add (int .Params.N) 1)'],
    ['schema.spec.n > 1 && schema.spec.a.b != ""', '(and (gt (int .Params.N) 1) (ne .Params.A_B ""))'],
    ['db.status.port == 5432', '(eq (int .Objects.db.status.port) 5432)'],
    ['db.metadata.labels["app.io/x"]', '(index .Objects.db.metadata.labels "app.io/x")'],
    ['db.status.hosts[0].ip', '(index .Objects.db.status.hosts 0).ip'],
    ['schema.spec.l.size()', '(len .Params.L)'],
    ['"x" in schema.spec.l', '(has "x" .Params.L)'],
    ['schema.spec.a.b.startsWith("x")', '(hasPrefix "x" .Params.A_B)'],
    ['has(db.status.ready)', '(hasKey .Objects.db.status "ready")'],
    ['{"a": 1, "b": [true]}', '(dict "a" 1 "b" (list true))'],
    [
      'schema.spec.zone',
      '! templates have no counterpart of schema.spec.zone, which is no field with a type of its own',
    ],
    ['db.x.exists(i, i == 1)', '! templates have no counterpart of macros such as map and filter'],
    ['other.x', '! templates have no counterpart of the name other'],
  ])('%s', (cel, wanted) => {
    expect(code(cel)).toBe(wanted);
  });
});
