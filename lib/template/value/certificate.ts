import { CERTIFICATE, type GoType } from './types';
import { GoObject, type Value } from './value';

/** Sprig's certificate: both parts in PEM. */
export class Certificate extends GoObject {
  readonly type: GoType = CERTIFICATE;
  constructor(
    readonly certificate: string,
    readonly key: string,
  ) {
    super();
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [
      ['Cert', this.certificate],
      ['Key', this.key],
    ];
  }
}
