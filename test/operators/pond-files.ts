const OPERATOR = `apiVersion: kudo.dev/v1beta1
name: pond
operatorVersion: "VERSION"
kubernetesVersion: "1.25.0"
tasks:
- {name: app, kind: Apply, spec: {resources: [app.yaml]}}
- {name: feed, kind: Apply, spec: {resources: [feed.yaml]}}
- {name: none, kind: Dummy, spec: {done: true}}
plans:
  deploy: &plan
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: app, tasks: [app]}]}]
  feed:
    parameters: [FOOD]
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: feed, tasks: [feed]}]}]
  drain:
    destructive: true
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: drain, tasks: [none]}]}]
  cleanup:
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: none, tasks: [none]}]}]
api:
- group: pond.example.com
  kind: Pond
  shortNames: [pd]
  versions:
  - name: v1
    schema:
      spec:
        size: integer | default=2 minimum=1 maximum=9 description="How many fish there are."
        colour: string
      status:
        fish: integer
    printerColumns:
    - {name: Fish, type: integer, jsonPath: .status.fish}
    - {name: Phase, type: string, jsonPath: .status.phase}
    scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.readyReplicas}
  instance:
    parameters:
      SIZE: "{{ .Spec.size }}"
      COLOUR: "\${has(self.spec.colour) ? self.spec.colour : null}"
  status:
    fish: "\${has(state.readyReplicas) ? state.readyReplicas : 0}"
  rules:
  - {rule: "!has(self.spec.colour) || self.spec.colour != 'black'", reason: ColourNotSupported, message: "Fish cannot be {{ .Spec.colour }}."}
- group: pond.example.com
  kind: Feed
  versions:
  - {name: v1, schema: {spec: {pond: string | required, food: string | default=flies}}}
  run:
    plan: feed
    instance: "{{ .Spec.pond }}"
    parameters: {FOOD: "{{ .Spec.food }}"}
- group: pond.example.com
  kind: Drain
  versions:
  - {name: v1, schema: {spec: {pond: string | required}}}
  run:
    plan: drain
    instance: "{{ .Spec.pond }}"
    confirmedBy: name
`;

const PARAMS = `apiVersion: kudo.dev/v1beta1
parameters:
- {name: SIZE, default: "1", type: integer}
- {name: COLOUR, default: grey}
- {name: DEPTH, default: "1"}
- {name: FOOD, default: none, trigger: feed}
`;

const APP = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Name }}"}
spec:
  replicas: {{ .Params.SIZE }}
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}", colour: "{{ .Params.COLOUR }}", depth: "{{ .Params.DEPTH }}"}}
    spec: {containers: [{name: fish, image: "fish:1"}]}
`;

const FEED = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Name }}-food"}
data: {food: "{{ .Params.FOOD }}"}
`;

/** The files of the package `pond` with own kinds; a module without imports, which browser tests can load. */
export function pondFiles(version = '0.1.0'): ReadonlyMap<string, string> {
  return new Map([
    ['operator.yaml', OPERATOR.replace('VERSION', version)],
    ['params.yaml', PARAMS],
    ['templates/app.yaml', APP],
    ['templates/feed.yaml', FEED],
  ]);
}
