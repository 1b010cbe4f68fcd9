import { formatTime, parseTime } from '@/lib/clock/clock';
import { formatElapsed } from '@/lib/clock/duration';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { type PlanRun, RUN_CAUSES, type RunNotice } from '@/lib/kudo/runs/plan-run';
import { causeWords } from '@/lib/kudo/runs/run-words';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { runPath } from '@/lib/kudo/view/run-row';
import { limits } from '@/lib/limits/limits';
import { APPROVAL_REQUESTED, type NoticeFormat } from './notice';

/** Names the shape of the JSON body; another shape gets another one. */
export const NOTICE_SCHEMA = 'bravo.kudo.dev/notice/v1';

/** What a JSON notice says; docs/guide/notices.md explains the members. Absent ones are not known. */
export interface NoticeContent {
  readonly schema: typeof NOTICE_SCHEMA;
  /** The same for every try. */
  readonly id: string;
  /** The name of the notice in its ConfigMap or Secret. */
  readonly notice: string;
  /** True for `bravo notices test`: nothing has happened. */
  readonly test?: true;
  readonly result: string;
  /** RFC 3339: when it happened. */
  readonly at: string;
  readonly namespace: string;
  readonly instance: string;
  readonly plan: string;
  /** Absent when the notice is about a request: no run exists then. */
  readonly run?: string;
  /** Of the execution. */
  readonly uid?: string;
  /** The PlanApproval, when the notice is about a request. */
  readonly approval?: string;
  readonly cause?: string;
  readonly requestedBy?: string;
  readonly reason?: string;
  /** Of the OperatorVersion. */
  readonly operatorVersion?: string;
  readonly startedAt?: string;
  /** From the start to this result. */
  readonly durationSeconds?: number;
  /** One sentence: why it failed, why it is paused, what it left half done. */
  readonly message?: string;
  /** The page of the run, or the one that shows the request, when the address of the console is known. */
  readonly url?: string;
}

/** One try to send one notice. */
export interface NoticeMoment {
  readonly entry: RunNotice;
  readonly id: string;
  /** The name of the notice. */
  readonly notice: string;
  /** `https://bravo.example.org`, without a slash at its end; undefined when the settings do not say it. */
  readonly consoleUrl: string | undefined;
}

/** What there is to say of a result of a run. The message is left out when the run has come to another result since. */
export function noticeContent({
  run,
  entry,
  id,
  notice,
  consoleUrl,
}: NoticeMoment & { readonly run: PlanRun }): NoticeContent {
  const { spec = {}, status = {} } = run;
  const { instanceName = '', plan = '', uid = '' } = spec;
  const { at = '', result = '' } = entry;
  const namespace = namespaceOf(run);
  const began = parseTime(status.startedAt ?? run.metadata.creationTimestamp);
  const ended = parseTime(at);
  const known = {
    cause: spec.cause,
    requestedBy: spec.requestedBy,
    reason: spec.reason,
    operatorVersion: status.operatorVersion,
    startedAt: began === undefined ? undefined : formatTime(began),
    durationSeconds:
      began === undefined || ended === undefined ? undefined : Math.max(0, Math.round((ended - began) / 1_000)),
    message: status.status === result ? status.message : undefined,
    url:
      consoleUrl === undefined
        ? undefined
        : `${consoleUrl}${runPath({ namespace, instance: instanceName, name: nameOf(run) })}`,
  };
  return {
    ...{
      schema: NOTICE_SCHEMA,
      id,
      notice,
      result,
      at,
      namespace,
      instance: instanceName,
      plan,
      run: nameOf(run),
      uid,
    },
    ...withoutUnknown(known),
  };
}

/** What there is to say of a request that waits for a second person. */
export function requestContent({
  approval,
  entry,
  id,
  notice,
  consoleUrl,
}: NoticeMoment & { readonly approval: PlanApproval }): NoticeContent {
  const { instanceName = '', plan = '', requestedBy, requestedAt = '', reason, operatorVersion } = approval.spec ?? {};
  const [name, namespace] = [nameOf(approval), namespaceOf(approval)];
  const page = instancePath(namespace, instanceName, 'plans');
  return {
    ...{ schema: NOTICE_SCHEMA, id, notice, result: entry.result ?? '', at: requestedAt },
    ...{ namespace, instance: instanceName, plan, approval: name },
    ...withoutUnknown({
      requestedBy,
      reason,
      operatorVersion,
      message: `A second person approves it with \`bravo approval approve ${name} -n ${namespace}\`.`,
      url: consoleUrl === undefined ? undefined : `${consoleUrl}${page}`,
    }),
  };
}

function withoutUnknown(known: { readonly [member: string]: string | number | undefined }) {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== ''));
}

/** The body of the request: JSON, at most {@link limits.notices.bodyBytes} of UTF-8. Long words of people are cut. */
export function noticeBody(content: NoticeContent, format: NoticeFormat): string {
  for (let most = MOST_CHARS; ; most = Math.floor(most / 2)) {
    const cut = shortened(content, most);
    const body = JSON.stringify(format === 'slack' ? { text: slackText(cut) } : cut);
    if (new TextEncoder().encode(body).length <= limits.notices.bodyBytes || most < LEAST_CHARS) return body;
  }
}

const MOST_CHARS = 2_000;
const LEAST_CHARS = 16;

function shortened(content: NoticeContent, most: number): NoticeContent {
  const cut = (text: string) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value]),
  ) as unknown as NoticeContent;
}

const RESULT_WORDS: { readonly [result: string]: string } = {
  Started: 'started',
  Paused: 'is paused',
  COMPLETE: 'is complete',
  FATAL_ERROR: 'failed',
  Cancelled: 'was cancelled',
  [APPROVAL_REQUESTED]: 'waits for a second person',
};

/** Slack's mrkdwn, which receivers that imitate Slack read as plain text. Words of people cannot mention or link anything. */
function slackText(content: NoticeContent): string {
  const { plan, namespace, instance, result, reason, durationSeconds, message } = content;
  const did = RESULT_WORDS[result] ?? `is ${result}`;
  const test = content.test === true ? 'This is a test. ' : '';
  const lasted =
    durationSeconds === undefined || result === 'Started' ? '' : ` after ${formatElapsed(durationSeconds * 1_000)}`;
  const lines = [
    `${test}*Plan ${plain(plan)} of ${plain(namespace)}/${plain(instance)} ${did}*${lasted} (${result})`,
    `${startWords(content)}${reason === undefined ? '' : `: ${plain(reason)}`}`,
    message === undefined ? '' : plain(message),
    linkOf(content),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** Why the plan started, and who asked for it. */
function startWords({ approval, cause, requestedBy }: NoticeContent): string {
  if (approval !== undefined) return `Requested by ${plain(requestedBy ?? 'nobody known')}`;
  const why = causeWords(RUN_CAUSES.find((each) => each === cause));
  return requestedBy === undefined ? why : `${why}, requested by ${plain(requestedBy)}`;
}

function linkOf({ approval, run = '', url }: NoticeContent): string {
  const name = plain(approval ?? run);
  return `${approval === undefined ? 'Run' : 'Request'}: ${url === undefined ? name : `<${url}|${name}>`}`;
}

function plain(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\s+/g, ' ');
}
