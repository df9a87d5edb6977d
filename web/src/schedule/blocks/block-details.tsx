import type { Block } from '../../gen/frontdesk/scheduling/v1/block_pb';
import { messageOf } from '../../http/errors';
import { dateAndTime, dayName, moment, timeSpan } from '../../time/zoned';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { Fact, Facts } from '../../ui/facts';
import { Refusal } from '../../ui/states';
import { useUnblocking } from './use-blocks';

type BlockDetailsProps = {
  businessId: string;
  zone: string;
  block: Block;
  mayUnblock: boolean;
  onClose: () => void;
};

/** Blocked time: whose, when, since when, and a button to unblock it. */
export function BlockDetails({ businessId, zone, block, mayUnblock, onClose }: BlockDetailsProps) {
  const { act, running, error } = useUnblocking(businessId, zone, block, { onDone: onClose });
  const [from, to, at] = [moment(block.startsAt), moment(block.endsAt), moment(block.blockedAt)];
  return (
    <FormDialog
      title={block.title}
      busy={running}
      onSubmit={() => act({ businessId, blockId: block.id })}
      onClose={onClose}
    >
      <Facts>
        <Fact name="Who">{block.employeeName || 'An employee'}</Fact>
        {from && to && (
          <Fact name="When">
            {dayName(from, zone, new Date())}, {timeSpan(from, to, zone)}
          </Fact>
        )}
        {at && <Fact name="Blocked">{dateAndTime(at, zone)}</Fact>}
      </Facts>
      <Refusal>{error && messageOf(error, 'The time could not be given back.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Close
        </Button>
        {mayUnblock && (
          <Button type="submit" minHeight="12" loading={running}>
            Remove the block
          </Button>
        )}
      </DialogActions>
    </FormDialog>
  );
}
