'use client';

import { useState } from 'react';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchInput } from '@/components/ui/search-input';
import { draftChanges, type FieldFilter, filterFields } from './parameter-draft';
import type { ParameterFormProps } from './parameter-form-props';
import { ParameterSection } from './parameter-section';

/** The parameters of an operator as a typed form in groups, with search and filters. Used by instances and by installs. */
export function ParameterForm(props: ParameterFormProps) {
  const { groups, draft } = props;
  const [filter, setFilter] = useState<FieldFilter>({ query: '', only: 'all' });
  const shown = filterFields(groups, draft, filter);
  const changed = draftChanges(groups, draft).length;
  const required = groups.flatMap((group) => group.fields).filter((field) => field.isRequired).length;
  const toggle = (only: FieldFilter['only']) => setFilter({ ...filter, only: filter.only === only ? 'all' : only });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Find a parameter"
          value={filter.query}
          onChange={(query) => setFilter({ ...filter, query })}
        />
        <Chip pressed={filter.only === 'changed'} onClick={() => toggle('changed')}>
          {props.isNew === true ? 'Only changed' : changed > 0 ? `${changed} changed` : 'Only set'}
        </Chip>
        {required > 0 && (
          <Chip pressed={filter.only === 'required'} onClick={() => toggle('required')}>
            {required} required
          </Chip>
        )}
      </div>
      {shown.length === 0 && (
        <section className="card">
          <EmptyState
            title={groups.length === 0 ? 'This operator has no parameters' : 'No parameter matches the filter'}
          />
        </section>
      )}
      {shown.map((group) => (
        <ParameterSection key={group.name} group={group} {...props} />
      ))}
    </div>
  );
}
