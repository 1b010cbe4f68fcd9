import type { SchemaFieldError } from '@/lib/schema/field-error';

const ARTICLES: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['string', 'a string'],
]);

/** What is wrong with a field as one sentence, without the API server's framing: "`spec.replicas` must be an integer". */
export function fieldErrorWords({ field, type, message }: SchemaFieldError): string {
  const name = field === '' ? 'The object' : `\`${field}\``;
  if (type === 'FieldValueRequired') {
    const [, detail] = /^Required value: (.+)$/s.exec(message) ?? [];
    return detail === undefined ? `${name} is required` : `${name} is required: ${detail}`;
  }
  const [, values] = /: supported values: (.+)$/s.exec(message) ?? [];
  if (type === 'FieldValueNotSupported' && values !== undefined) return `${name} must be one of ${values}`;
  const said = message.slice(message.lastIndexOf(IN_BODY) + IN_BODY.length);
  if (!message.includes(IN_BODY)) return `${name}: ${message}`;
  const [, wanted] = /^must be of type ([A-Za-z0-9-]+)/.exec(said) ?? [];
  return wanted === undefined ? `${name} ${said}` : `${name} must be ${ARTICLES.get(wanted) ?? `of type ${wanted}`}`;
}

/** How kube-openapi names the place of a value before it says what is wrong with it. */
const IN_BODY = ' in body ';
