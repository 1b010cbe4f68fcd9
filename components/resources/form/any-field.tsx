'use client';

import { limits } from '@/lib/limits/limits';
import { fieldControl } from '@/lib/schema/form/field-control';
import type { FormFieldProps } from './form-context';
import { ListFields } from './list-fields';
import { MapFields } from './map-fields';
import { ObjectFields } from './object-fields';
import { PartSection } from './part-section';
import { ScalarField } from './scalar-field';
import { YamlField } from './yaml-field';

/** One field, in the way that its schema asks for. */
export function AnyField(props: FormFieldProps) {
  const { path, member, value, locked } = props;
  const control = path.length > limits.forms.depth ? 'yaml' : fieldControl(member.schema, value);
  switch (control) {
    case 'object':
      return (
        <PartSection {...props}>
          <ObjectFields path={path} schema={member.schema} value={value} locked={locked} />
        </PartSection>
      );
    case 'list':
      return (
        <PartSection {...props}>
          <ListFields {...props} />
        </PartSection>
      );
    case 'map':
      return (
        <PartSection {...props}>
          <MapFields {...props} />
        </PartSection>
      );
    case 'yaml':
      return <YamlField {...props} />;
    default:
      return <ScalarField {...props} control={control} />;
  }
}
