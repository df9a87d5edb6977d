import { Flex } from '@chakra-ui/react';
import type { Dispatch, SetStateAction } from 'react';
import { useNavigate } from 'react-router';
import { useOpenVisit } from '../layout/visit-link';
import { Button } from '../ui/button';
import { Combobox } from '../ui/combobox';
import { DialogActions, FormDialog } from '../ui/dialog';
import { useFound } from './use-found';

type SearchDialogProps = {
  businessId: string;
  role: string;
  text: string;
  onText: Dispatch<SetStateAction<string>>;
  onClose: () => void;
};

/** One search for all of a business; Enter goes to what is highlighted. */
export function SearchDialog({ businessId, role, text, onText, onClose }: SearchDialogProps) {
  const navigate = useNavigate();
  const open = useOpenVisit();
  const { options, note } = useFound(businessId, role, text);
  return (
    <FormDialog title="Search" finds onSubmit={() => undefined} onClose={onClose}>
      {/* The list unfolds inside the dialog. */}
      <Flex
        direction="column"
        minHeight={text.trim() ? 'min(32rem, 60dvh)' : undefined}
        css={{ '--list-height': '25rem' }}
      >
        <Combobox
          label="Customer, visit, date, employee, service or page"
          hint="Of a phone number, its last digits are enough. Dates as “12 Dec” or “next Friday”, alone or with a name."
          text={text}
          options={options}
          {...(note ? { note } : {})}
          startsOpen={text !== ''}
          onText={onText}
          onPick={(key) => {
            const found = options.find((option) => option.key === key);
            if (!found) return;
            onClose();
            if ('visitId' in found) open(found.visitId);
            else void navigate(found.to);
          }}
        />
      </Flex>
      <DialogActions>
        <Button onClick={onClose} minHeight="12">
          Close
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
