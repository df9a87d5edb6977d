import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { KeysAhead } from './keys-ahead';

const SearchDialog = fetchedAhead(
  () => import('./search-dialog').then(({ SearchDialog }) => SearchDialog),
  KeysAhead,
);

type SearchProps = { businessId: string; role: string; onClose: () => void };

/** The search of a business. What is typed before its dialog is there begins its text. */
export function Search(props: SearchProps) {
  const [text, setText] = useState('');
  return <SearchDialog {...props} text={text} onText={setText} />;
}
