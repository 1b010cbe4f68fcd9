import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import type { PlanRun, RecordedChange } from '@/lib/kudo/runs/plan-run';
import type { RunRecord } from '@/lib/kudo/runs/record-format';
import { beganMs, causeWords, durationOf } from '@/lib/kudo/runs/run-words';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { spanText } from '@/lib/kudo/view/run-facts';
import { runStatusKey } from '@/lib/kudo/view/run-row';
import { timelineOf } from '@/lib/kudo/view/run-timeline';
import { treeLines } from '@/lib/kudo/view/run-tree-lines';
import { type StatusKey, statusWords } from '@/lib/kudo/view/status-words';
import { type Html, html } from './html';

/** Name, state and facts of the run. */
export function headSection(run: PlanRun, nowMs: number): Html {
  const { spec = {}, status = {} } = run;
  const took = durationOf(run, nowMs);
  const { operatorVersion = '', operatorVersionBefore } = status;
  const facts: [string, string | undefined][] = [
    ['Instance', `${namespaceOf(run)}/${spec.instanceName ?? ''}`],
    ['Plan', spec.plan],
    ['Why', causeWords(spec.cause)],
    ['Who', spec.requestedBy],
    ['Reason', spec.reason],
    ['Repeats', spec.retryOf],
    ['Started', utc(status.startedAt)],
    ['Finished', utc(status.finishedAt)],
    ['Duration', took === undefined ? undefined : spanText(took / 1_000)],
    [
      'Version',
      operatorVersionBefore === undefined ? operatorVersion : `${operatorVersionBefore} → ${operatorVersion}`,
    ],
    ['UID', run.metadata.uid],
  ];
  const rows = facts.filter(([, value]) => (value ?? '') !== '');
  return html`<h1>Run ${nameOf(run)}</h1>
<p>${state(runStatusKey(status.status))}</p>
${status.message === undefined ? undefined : html`<p>${status.message}</p>\n`}<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** All steps with how long they took, and when, as bars. */
export function stepsSection(run: PlanRun, nowMs: number): Html {
  const begin = beganMs(run);
  const end = parseTime(run.status?.finishedAt) ?? nowMs;
  const { bars } = timelineOf(treeLines(run, undefined), begin, end);
  const rows = bars.map(({ line, bar }) => {
    const tone = statusWords[line.status].tone;
    const place = bar && `left:${percent(bar.from)};width:${percent(bar.to - bar.from)}`;
    const track = place === undefined ? undefined : html`<div class="track ${tone}"><i style="${place}"></i></div>`;
    const attempts = line.attempts > 1 ? html` <span class="quiet">${line.attempts} attempts</span>` : undefined;
    const message = line.message === '' ? undefined : html`<br><span class="quiet">${line.message}</span>`;
    return html`<tr><td><span class="quiet">${line.phase} /</span> ${line.step}${attempts}${message}</td><td>${state(line.status)}</td><td class="fixed">${spanText(line.seconds)}</td><td class="bar wide">${track}</td></tr>
`;
  });
  return section(
    'Steps',
    rows.length === 0
      ? undefined
      : html`<table><thead><tr><th>Step</th><th>State</th><th>Duration</th><th class="wide">When</th></tr></thead><tbody>
${rows}</tbody></table>`,
  );
}

/** Parameters whose values the run brought about. */
export function parametersSection({ status = {} }: PlanRun): Html {
  const rows = (status.changes ?? []).map(
    (change) =>
      html`<tr><td><code>${change.name}</code></td><td>${valueText(change, change.before)}</td><td>${valueText(change, change.after)}</td></tr>
`,
  );
  return section(
    'Parameters',
    rows.length === 0
      ? undefined
      : html`<table><thead><tr><th>Parameter</th><th>Before</th><th>After</th></tr></thead><tbody>
${rows}</tbody></table>`,
  );
}

/** Why the run failed, as its record says. */
export function explanationSection(record: RunRecord | undefined): Html {
  const { explanation } = record?.failure ?? {};
  if (explanation === undefined) return html``;
  const links = explanation.chain.map(({ kind, text }) => html`<li><span class="quiet">${kind}:</span> ${text}</li>`);
  return section('Why it failed', html`<p>${explanation.paragraph}</p><ol>${links}</ol>`);
}

/** Every object that the run touched, with the patch. */
export function objectsSection(record: RunRecord | undefined): Html {
  const objects = (record?.tasks ?? []).flatMap(({ phase, step, objects: touched }) =>
    touched.map(({ kind, name, change, diff }) => {
      const text = diff === undefined || Object.keys(diff).length === 0 ? undefined : canonicalYaml(diff);
      const patch = text === undefined ? undefined : html`<pre>${text}</pre>`;
      return html`<li><code>${kind} ${name}</code> ${change} <span class="quiet">in ${phase} / ${step}</span>${patch}</li>
`;
    }),
  );
  return section(
    'Objects',
    objects.length === 0
      ? undefined
      : html`<ul>
${objects}</ul>`,
  );
}

/** What Jobs of the run wrote to their termination messages. */
export function outputsSection({ status = {} }: PlanRun): Html {
  const rows = (status.outputs ?? []).map(
    ({ type, name, size, createdAt, target, verified }) =>
      html`<tr><td>${type}</td><td><code>${name}</code>${verified === true ? ' verified' : undefined}</td><td>${size === undefined ? undefined : bytesText(size)}</td><td>${utc(createdAt)}</td><td>${target}</td></tr>
`,
  );
  return section(
    'Outputs',
    rows.length === 0
      ? undefined
      : html`<table><thead><tr><th>Type</th><th>Name</th><th>Size</th><th>Created</th><th>Where</th></tr></thead><tbody>
${rows}</tbody></table>`,
  );
}

/** What people did with the run. */
export function steeringSection({ status = {} }: PlanRun): Html {
  const entries = (status.steering ?? []).map(
    ({ at, event, by, message }) =>
      html`<li>${utc(at)} ${event}${by === undefined ? undefined : ` by ${by}`}${(message ?? '') === '' ? undefined : `: ${message}`}</li>
`,
  );
  return entries.length === 0
    ? html``
    : section(
        'What people did',
        html`<ul>
${entries}</ul>`,
      );
}

/** Events and logs that were kept of a failure. */
export function failureSections(record: RunRecord | undefined): Html {
  const { events = [], logs = [] } = record?.failure ?? {};
  const rows = events.map(
    ({ time, object, reason, message, count }) =>
      html`<tr><td class="fixed time">${utc(time)}</td><td>${object}</td><td>${reason}${count > 1 ? ` ×${count}` : undefined}</td><td>${message}</td></tr>
`,
  );
  const texts = logs.map(
    ({ pod, container, text }) => html`<h3>Pod ${pod}, container ${container}</h3><pre>${text}</pre>
`,
  );
  const table = html`<table><thead><tr><th>Time</th><th>Object</th><th>Reason</th><th>Message</th></tr></thead><tbody>
${rows}</tbody></table>`;
  return html`${rows.length === 0 ? undefined : section('Events', table)}${texts.length === 0 ? undefined : section('Log', html`${texts}`)}`;
}

function section(title: string, content: Html | undefined): Html {
  return html`<section><h2>${title}</h2>
${content ?? html`<p class="quiet">None.</p>`}
</section>
`;
}

function state(key: StatusKey): Html {
  const { word, tone } = statusWords[key];
  return html`<span class="state ${tone}">${word}</span>`;
}

/** A secret value is a fingerprint, which says only whether it changed. */
function valueText({ secret }: RecordedChange, value: string | undefined): Html {
  if (value === undefined) return html`<span class="quiet">default</span>`;
  if (secret === true) return html`<span class="quiet">secret value</span>`;
  return value === '' ? html`<span class="quiet">empty</span>` : html`<code>${value}</code>`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)}%`;
}

/** `2026-11-24 13:05:44 UTC`; undefined when it is not known. */
function utc(at: string | undefined): string | undefined {
  return at === undefined ? undefined : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}
