import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { dnsLabelProblems } from '@/lib/kube/label-syntax';
import { limits } from '@/lib/limits/limits';
import { readYaml, readYamlSource } from '@/lib/yaml/yaml';
import {
  DEFAULT_RESULTS,
  NOTICE_FORMATS,
  NOTICE_RESULTS,
  type NoticeRule,
  type NoticeSource,
  noticeSourceWords,
} from './notice';
import { NoticeFields } from './notice-fields';

/** What an object says about notices, and what is wrong with it. A notice with a problem is left out; the others count. */
export interface ParsedNotices {
  readonly notices: readonly NoticeRule[];
  /** Sentences that name object, key and line, and no values. */
  readonly problems: readonly string[];
}

const MEMBERS = ['name', 'url', 'urlFrom', 'format', 'signingKeyFrom', 'plans', 'results', 'instances', 'namespaces'];

/**
 * Reads every key of an object whose name ends in `.yaml`: one notice, or a list of them (docs/guide/notices.md has the format). The
 * other keys are values that notices name.
 *
 * @param homeNamespace the controller's own: only what is configured there may be about other namespaces
 */
export function parseNotices(source: NoticeSource, homeNamespace: string): ParsedNotices {
  const notices = new Map<string, NoticeRule>();
  const problems: string[] = [];
  const keys = [...source.texts.keys()].filter((key) => key.endsWith('.yaml')).sort();
  if (keys.length === 0)
    problems.push(`${noticeSourceWords(source)} has no key that ends in .yaml, such as notices.yaml.`);
  for (const key of keys) {
    const report = (line: number, message: string) =>
      void problems.push(`${noticeSourceWords(source)}, key ${key}, line ${line}: ${message}.`);
    for (const { line, ...notice } of noticesOf({ source, homeNamespace, report }, source.texts.get(key) ?? '')) {
      if (notices.has(notice.name)) report(line, `another notice of this object is named ${notice.name}`);
      else if (notices.size >= limits.notices.perObject) report(line, `more than ${limits.notices.perObject} notices`);
      else notices.set(notice.name, notice);
    }
  }
  return { notices: [...notices.values()], problems: problems.slice(0, limits.notices.problems) };
}

interface Context {
  readonly source: NoticeSource;
  readonly homeNamespace: string;
  readonly report: (line: number, message: string) => void;
}

function noticesOf(context: Context, text: string): (NoticeRule & { line: number })[] {
  if (text.length > limits.notices.textChars) {
    context.report(1, `the text has more than ${limits.notices.textChars} characters`);
    return [];
  }
  // Its messages may quote the text, which may hold a secret.
  const checked = readYaml(text);
  const read = readYamlSource(text);
  if (!checked.ok || !read.ok) {
    const [first] = checked.ok ? [] : checked.problems;
    context.report(first?.line ?? 1, 'this is not valid YAML, or a key occurs twice');
    return [];
  }
  const { value, lineOf } = read.source;
  const isList = Array.isArray(value);
  return (isList ? value : [value]).flatMap((entry, index) => {
    const path = isList ? [index] : [];
    if (isJsonObject(entry)) return noticeOf(context, entry, (member) => lineOf([...path, ...(member ?? [])])) ?? [];
    context.report(lineOf(path), 'a notice must be a map');
    return [];
  });
}

function noticeOf(
  context: Context,
  value: JsonObject,
  lineOf: (member?: readonly [string]) => number,
): (NoticeRule & { line: number }) | undefined {
  let isWrong = false;
  const fields = new NoticeFields(value, (member, message) => {
    isWrong = true;
    context.report(lineOf(member === undefined ? undefined : [member]), message);
  });
  fields.allow(MEMBERS);
  const { kind, namespace, name: object } = context.source;
  const name = nameOf(fields);
  const notice = {
    id: `${kind}/${namespace}/${object}/${name}`,
    name,
    url: urlOf(fields, context),
    format: fields.oneOf('format', NOTICE_FORMATS) ?? 'json',
    signingKey: signingKeyOf(fields, context),
    plans: fields.texts('plans') ?? [],
    results: fields.someOf('results', NOTICE_RESULTS) ?? DEFAULT_RESULTS,
    matchLabels: fields.mapIn('instances', 'matchLabels') ?? {},
    namespaces: namespacesOf(fields, context),
    line: lineOf(),
  };
  return isWrong ? undefined : notice;
}

function nameOf(fields: NoticeFields): string {
  const name = fields.text('name') ?? '';
  if (!fields.has('name')) fields.report(undefined, '`name` is missing');
  else if (dnsLabelProblems(name).length > 0) {
    fields.report('name', '`name` must have lower case letters, digits and hyphens, 63 at most');
  }
  return name;
}

function urlOf(fields: NoticeFields, context: Context): string {
  if (fields.has('url') === fields.has('urlFrom')) fields.report(undefined, 'give either `url` or `urlFrom`');
  const member = fields.has('urlFrom') ? 'urlFrom' : 'url';
  const url = (member === 'url' ? fields.text('url') : keyOf(fields, 'urlFrom', context))?.trim();
  if (url === undefined) return '';
  const parsed = url.length <= limits.notices.urlChars && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    fields.report(member, `\`${member}\` must give a URL that begins with https:// or http://`);
  } else if (parsed.username !== '' || parsed.password !== '') {
    fields.report(member, `\`${member}\` must give a URL without user name and password`);
  }
  return url;
}

function signingKeyOf(fields: NoticeFields, context: Context): string | undefined {
  const key = keyOf(fields, 'signingKeyFrom', context)?.trim();
  if (key !== undefined && key.length < limits.notices.leastKeyChars) {
    fields.report('signingKeyFrom', `the key of the signature must have ${limits.notices.leastKeyChars} characters`);
  }
  return key;
}

/** The text of the key of the same Secret that a member names. */
function keyOf(fields: NoticeFields, member: string, { source }: Context): string | undefined {
  const key = fields.text(member);
  if (key === undefined) return undefined;
  if (source.kind === 'ConfigMap') fields.report(member, `\`${member}\` needs a Secret: a ConfigMap keeps no secrets`);
  else if (!source.texts.has(key)) fields.report(member, `\`${member}\` names a key that this Secret does not have`);
  return source.texts.get(key);
}

function namespacesOf(fields: NoticeFields, { source, homeNamespace }: Context): readonly string[] {
  const wanted = fields.texts('namespaces') ?? [source.namespace];
  const isOwn = wanted.every((each) => each === source.namespace);
  if (!isOwn && source.namespace !== homeNamespace) {
    fields.report('namespaces', '`namespaces` may name others only in the namespace of the controller');
  }
  return wanted;
}
