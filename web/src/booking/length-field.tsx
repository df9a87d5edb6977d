import { Box, Flex } from '@chakra-ui/react';
import { extraText, longerBy, shorterBy } from '../day/lengths';
import { usualMinutes } from '../day/segments';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesText } from '../time/zoned';
import { SelectField } from '../ui/select-field';
import { Muted } from '../ui/text';

type LengthFieldProps = {
  label: string;
  service: Service;
  /** Who is wanted for it: some take their own time. */
  employeeId: string;
  extraMinutes: number;
  onChange: (extraMinutes: number) => void;
};

/** How long a service shall take, where it is not as long as usual. */
export function LengthField({ label, service, employeeId, extraMinutes, onChange }: LengthFieldProps) {
  const usual = usualMinutes(service, employeeId);
  const option = (extra: number) => (
    <option key={extra} value={extra}>
      {minutesText(usual + extra)}
    </option>
  );
  const shorter = shorterBy(service, employeeId);
  return (
    <Flex align="center" gap="1" wrap="wrap">
      <Box flexShrink="0">
        <SelectField
          label={label}
          silent
          look="quiet"
          value={extraMinutes}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        >
          {shorter.length > 0 && <optgroup label="Shorter">{shorter.map(option)}</optgroup>}
          <optgroup label="As usual">{option(0)}</optgroup>
          <optgroup label="Longer">{longerBy().map(option)}</optgroup>
        </SelectField>
      </Box>
      {extraMinutes !== 0 && <Muted fontSize="0.875rem">{extraText(extraMinutes)} than usual</Muted>}
    </Flex>
  );
}
