import type { JsonObject } from '@/lib/json/json';
import { invalid, required } from '@/lib/schema/field-error';
import { objectOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

const URL_FORM = '; desired format: https://host[/path]';
/** Where a webhook is: a URL or a Service (Kubernetes apiserver util/webhook ValidateWebhookURL, ValidateWebhookService). */
export function validateClient(config: JsonObject, field: string, faults: Faults): void {
  const url = config.url;
  const service = objectOf(config, 'service');
  if ((typeof url === 'string') === (service !== undefined)) {
    faults.push(required(field, 'exactly one of url or service is required'));
  } else if (typeof url === 'string') validateUrl(url, `${field}.url`, faults);
}

function validateUrl(url: string, field: string, faults: Faults): void {
  const [, scheme = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?/.exec(url) ?? [];
  if (scheme !== 'https') {
    faults.push(invalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  }
}
