import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { CLEANUP_PLAN } from '../names';
import { crdNameOf } from '../own-kinds/names';
import type { OwnKind } from '../own-kinds/types';
import { checkApiExpressions } from './check-api-expressions';
import { checkApiVersions } from './check-api-versions';
import type { Report } from './report';

/** Groups of others: Kubernetes approves the first two, and the rest are KUDO's and Bravo's own. */
const RESERVED = /(^|\.)(k8s\.io|kubernetes\.io|kudo\.dev)$/;

/** Bravo's own checks of `api:`: names, schemas, versions, and that each plan, parameter and expression exists and compiles. */
export function checkApi(report: Report): void {
  const kinds = report.pkg.operator.api ?? [];
  const seen = new Set<string>();
  kinds.forEach((kind, index) => {
    const name = crdNameOf(kind);
    if (seen.has(name)) report.error(report.operatorLine('api', index), `kind ${name} occurs twice`);
    seen.add(name);
    checkNames(report, kind, index);
    checkApiVersions(report, kind, index);
    checkPlan(report, kind, index);
    checkApiExpressions(report, kind, index);
  });
}

function checkNames(report: Report, kind: OwnKind, index: number): void {
  const problem = (key: string, message: string) => report.error(report.operatorLine('api', index, key), message);
  const { group, plural, singular, shortNames = [], categories = [] } = kind;
  const [wrong] = subdomainProblems(group);
  if (wrong !== undefined) problem('group', `group "${group}": ${wrong}`);
  else if (!group.includes('.')) problem('group', `group "${group}" must be a domain with at least one dot`);
  else if (RESERVED.test(group)) problem('group', `group "${group}" is reserved; use a domain of yours`);
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind.kind)) {
    problem('kind', `kind "${kind.kind}" must be one word in CamelCase`);
  }
  for (const [key, names] of [
    ['plural', [plural]],
    ['singular', [singular]],
    ['shortNames', shortNames],
    ['categories', categories],
  ] as const) {
    for (const name of names) {
      const [found] = dnsLabel1035Problems(name);
      if (found !== undefined) problem(key, `"${key}" ${name}: ${found}`);
    }
  }
}

function checkPlan(report: Report, { run }: OwnKind, index: number): void {
  if (run === undefined) return;
  const place = report.operatorLine('api', index, 'run', 'plan');
  if (!Object.hasOwn(report.pkg.operator.plans, run.plan))
    report.error(place, `plan "${run.plan}" of "run" does not exist`);
  else if (run.plan === CLEANUP_PLAN)
    report.error(place, `plan "${CLEANUP_PLAN}" runs when an Instance is deleted, and by no resource`);
}
