import { createContext } from 'react';

/** Opens the business's search, which the frame shows; undefined where there is none to open. */
export const OpenSearch = createContext<(() => void) | undefined>(undefined);
