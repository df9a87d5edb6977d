import { MicOff } from 'lucide-react';
import { Note } from '../ui/states';

/** Why the agent says nothing here. */
export function NoModelNote() {
  return (
    <Note tone="warn" icon={MicOff}>
      This installation has no language model, so our own agent can’t speak. An administrator has to configure
      one.
    </Note>
  );
}
