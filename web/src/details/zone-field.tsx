import type { HTMLChakraProps } from '@chakra-ui/react';
import type { Ref } from 'react';
import { viewerZone } from '../time/zoned';
import { SelectField } from '../ui/select-field';

type ZoneFieldProps = HTMLChakraProps<'select'> & {
  error?: string | undefined;
  ref?: Ref<HTMLSelectElement>;
};

/** Where a salon's clocks are. */
export function ZoneField(props: ZoneFieldProps) {
  const zones = new Set([viewerZone(), ...Intl.supportedValuesOf('timeZone')]);
  return (
    <SelectField label="Time zone" hint="Where the salon is, wherever you are." {...props}>
      {[...zones].sort().map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  );
}
