import type { JsonObject } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, textOf } from '../access';
import type { Faults } from '../kind-rules';

const URL_FORM = '; desired format: https://host[/path]';
/** Of RFC 3986: scheme, authority, path, query, fragment. */
const URL_PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Where a webhook is: a URL or a Service (Kubernetes apiserver util/webhook ValidateWebhookURL, ValidateWebhookService). */
export function validateClient(config: JsonObject, field: string, faults: Faults): void {
  const url = config.url;
  const service = objectOf(config, 'service');
  if ((typeof url === 'string') === (service !== undefined)) {
    faults.push(required(field, 'exactly one of url or service is required'));
  } else if (typeof url === 'string') validateUrl(url, `${field}.url`, faults);
  else if (service !== undefined) validateService(service, `${field}.service`, faults);
}

function validateUrl(url: string, field: string, faults: Faults): void {
  const [, scheme = '', authority = '', , query = '', fragment = ''] = URL_PARTS.exec(url) ?? [];
  if (/[\s\p{Cc}]/u.test(url) || /%(?![0-9A-Fa-f]{2})/.test(url)) {
    faults.push(required(field, `url must be a valid URL${URL_FORM}`));
    return;
  }
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (scheme !== 'https') {
    faults.push(invalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  }
  if (host === '') faults.push(invalid(field, host, `host must be provided${URL_FORM}`));
  if (at >= 0) faults.push(invalid(field, authority.slice(0, at), 'user information is not permitted in the URL'));
  if (fragment !== '') faults.push(invalid(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') faults.push(invalid(field, query, 'query parameters are not permitted in the URL'));
}

function validateService(service: JsonObject, field: string, faults: Faults): void {
  // The API server hands name and namespace over in the wrong order, so each is told as the other one.
  if (textOf(service, 'namespace') === '') faults.push(required(`${field}.name`, 'service name is required'));
  if (textOf(service, 'name') === '') faults.push(required(`${field}.namespace`, 'service namespace is required'));
  const port = numberOf(service, 'port') ?? 443;
  if (port < 1 || port > 65_535) {
    faults.push(invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  validatePath(textOf(service, 'path'), `${field}.path`, faults);
}

function validatePath(path: string, field: string, faults: Faults): void {
  if (path === '' || path === '/') return;
  if (path === '//') {
    faults.push(invalid(field, path, 'segment[0] may not be empty'));
    return;
  }
  if (!path.startsWith('/')) faults.push(invalid(field, path, "must start with a '/'"));
  // The first character goes even when it is no slash.
  for (const [index, step] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') faults.push(invalid(field, path, `segment[${index}] may not be empty`));
    else
      for (const problem of subdomainProblems(step)) faults.push(invalid(field, path, `segment[${index}]: ${problem}`));
  }
}
