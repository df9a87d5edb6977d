import { useEffect, useRef, useState } from 'react';
import { saysAll } from '../finding/words';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { Combobox } from '../ui/combobox';

/** As many as one looks through. */
const MOST = 8;

type ServiceChoiceProps = { phrase: string; services: Service[]; onPick: (service: Service) => void };

/** Any other service that a phrase may mean. */
export function ServiceChoice({ phrase, services, onPick }: ServiceChoiceProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // It was asked for: that is where one types.
  useEffect(() => field.current?.focus(), []);
  const found = services
    .filter(({ name, aliases }) => [name, ...aliases].some((called) => saysAll(called, text)))
    .slice(0, MOST);
  return (
    <Combobox
      ref={field}
      label={`What “${phrase}” means`}
      placeholder="Name of a service"
      text={text}
      options={found.map(({ id, name, category }) => ({ key: id, text: name, detail: category }))}
      {...(found.length === 0 ? { note: `No service is called “${text.trim()}”.` } : {})}
      onText={setText}
      onPick={(key) => {
        const service = services.find(({ id }) => id === key);
        if (service) onPick(service);
      }}
    />
  );
}
