import { Layers2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../http/errors';
import { dayName, timeOfDay } from '../../time/zoned';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { Fact, Facts } from '../../ui/facts';
import { Note, Refusal } from '../../ui/states';

type SqueezeFormProps = {
  title: string;
  start: Date;
  zone: string;
  /** What is done, and by whom. */
  who: readonly { service: string | undefined; employee: string | undefined }[];
  running: boolean;
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Says what is squeezed in where, and that it lies beside what is there. */
export function SqueezeForm(props: SqueezeFormProps) {
  const { title, start, zone, who, running, error, onSubmit, onClose, children } = props;
  return (
    <FormDialog title={title} busy={running} onSubmit={onSubmit} onClose={onClose}>
      <Facts>
        <Fact name="When">
          {dayName(start, zone, new Date())}, {timeOfDay(start, zone)}
        </Fact>
        {who.map(({ service, employee }, index) => (
          <Fact key={index} name={service ?? 'Service'}>
            {employee ?? 'Unassigned'}
          </Fact>
        ))}
      </Facts>
      {children}
      <Note tone="info" icon={Layers2}>
        It is booked beside what is there, and takes no chair or room.
      </Note>
      <Refusal>{error ? messageOf(error, 'The visit could not be squeezed in.') : null}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Squeeze in
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
