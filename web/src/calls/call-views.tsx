import { Flex } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { intend, useAction } from '../api/action';
import { fetchedAhead } from '../api/fetched-ahead';
import { takingBack, UndoRefusal } from '../business/taking-back';
import { type CallView, CallViewService } from '../gen/frontdesk/telemetry/v1/call_view_pb';
import { messageOf } from '../http/errors';
import { Menu, MenuItem, MenuLine } from '../ui/menu';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { type CallWish, queryOf, wishOf } from './filter';
import { callViewsQuery } from './queries';

const SaveViewDialog = fetchedAhead(() =>
  import('./save-view-dialog').then(({ SaveViewDialog }) => SaveViewDialog),
);

const DeleteViewDialog = fetchedAhead(() =>
  import('./delete-view-dialog').then(({ DeleteViewDialog }) => DeleteViewDialog),
);

type CallViewsProps = { businessId: string; wish: CallWish; onPick: (wish: CallWish) => void };

/** Filters that the person saved: picked, saved, deleted. */
export function CallViews({ businessId, wish, onPick }: CallViewsProps) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'save' | 'delete' | null>(null);
  const views = useQuery(callViewsQuery(businessId)).data?.callViews ?? [];
  const again = () => void queries.invalidateQueries({ queryKey: callViewsQuery(businessId).queryKey });
  const query = queryOf(wish);
  const current = views.find((view) => view.query === query);
  const takeBack = ({ name, query }: CallView) =>
    takingBack(
      async (key) => {
        // Saving replaces a view of the same name.
        const { callViews } = await queries.fetchQuery({ ...callViewsQuery(businessId), staleTime: 0 });
        if (callViews.some((view) => view.name === name))
          throw new UndoRefusal('There is another view of that name.');
        return intend(CallViewService.method.saveCallView, { businessId, name, query }, key);
      },
      `The view ${name} is there again.`,
      again,
    );
  const remove = useAction(CallViewService.method.deleteCallView, {
    onDone: (_, { callViewId }) => {
      again();
      const gone = views.find(({ id }) => id === callViewId);
      toasts.show('good', `Deleted the view ${gone?.name ?? ''}.`, gone && undos.push(takeBack(gone)));
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The view could not be deleted.')),
  });
  const removeView = ({ id }: CallView) => remove.act({ businessId, callViewId: id });
  return (
    <>
      <Menu
        align="end"
        triggerProps={{
          border: '1px solid',
          borderColor: 'line.strong',
          bg: 'bg.card',
          px: '4',
          minHeight: '12',
          fontWeight: '550',
        }}
        trigger={
          <Flex as="span" align="center" gap="2">
            <Bookmark size={18} aria-hidden />
            {current?.name ?? 'Views'}
          </Flex>
        }
      >
        {views.map((view: CallView) => (
          <MenuItem
            key={view.id}
            value={view.id}
            onPick={() => onPick(wishOf(new URLSearchParams(view.query)))}
          >
            {view.name}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuLine />}
        <MenuItem value="save" onPick={() => setAsking('save')}>
          Save these filters…
        </MenuItem>
        {current && (
          <MenuItem value="delete" onPick={() => removeView(current)}>
            Delete “{current.name}”
          </MenuItem>
        )}
        {views.some((view) => view !== current) && (
          <MenuItem value="delete-others" onPick={() => setAsking('delete')}>
            Delete a view…
          </MenuItem>
        )}
      </Menu>
      {asking === 'delete' && (
        <DeleteViewDialog
          views={views}
          onDelete={(view) => {
            removeView(view);
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'save' && (
        <SaveViewDialog
          businessId={businessId}
          query={query}
          names={views.map(({ name }) => name)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
