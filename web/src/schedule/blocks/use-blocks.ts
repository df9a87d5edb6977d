import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { intend, useAction } from '../../api/action';
import { readDaysAgain } from '../../business/read-visits-again';
import { takingBack } from '../../business/taking-back';
import { type Block, BlockService } from '../../gen/frontdesk/scheduling/v1/block_pb';
import { moment, timeSpan } from '../../time/zoned';
import { toasts } from '../../ui/toasts';
import { undos } from '../../ui/undos';

const { blockTime, unblockTime } = BlockService.method;

type Ends = { onDone: () => void };

/** Blocks an employee's time, with an undo. */
export function useBlocking(businessId: string, zone: string, { onDone }: Ends) {
  return useAction(blockTime, {
    onDone: ({ block }) => {
      readDaysAgain();
      if (block) {
        const unblock = (key: string) => intend(unblockTime, { businessId, blockId: block.id }, key);
        const undo = undos.push(takingBack(unblock, `${nameOf(block, zone)} is free again.`, readDaysAgain));
        toasts.show('good', `${nameOf(block, zone)} is blocked.`, undo);
      }
      onDone();
    },
  });
}

/** Unblocks time, with an undo. */
export function useUnblocking(businessId: string, zone: string, block: Block | undefined, { onDone }: Ends) {
  return useAction(unblockTime, {
    onDone: () => {
      readDaysAgain();
      if (block) {
        const again = (key: string) => intend(blockTime, { businessId, ...placeOf(block) }, key);
        const undo = undos.push(takingBack(again, `${nameOf(block, zone)} is blocked again.`, readDaysAgain));
        toasts.show('good', `${nameOf(block, zone)} is free again.`, undo);
      }
      onDone();
    },
    // The block may have been changed elsewhere meanwhile.
    onRefused: readDaysAgain,
  });
}

/** "Lunch of Mia Larsen, 12:00 – 12:45,". */
function nameOf({ title, employeeName, startsAt, endsAt }: Block, zone: string): string {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  const whose = employeeName ? `${title} of ${employeeName}` : title;
  return from && to ? `${whose}, ${timeSpan(from, to, zone)},` : whose;
}

function placeOf({ employeeId, title, startsAt, endsAt }: Block) {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  return {
    employeeId,
    title,
    ...(from && to ? { startsAt: timestampFromDate(from), endsAt: timestampFromDate(to) } : {}),
  };
}
