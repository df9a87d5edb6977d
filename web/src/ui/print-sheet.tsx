import { type ReactNode, useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';

/** While it is there, it is printed instead of the page: black on white, and not seen on the screen. */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(<div className="print-sheet">{children}</div>, document.body);
}

/** Whether the page is being printed, by its own command or the browser's: its sheet is drawn just before. */
export function useBeingPrinted(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => {
      // A record that is open over the page has asked first.
      if (!document.querySelector('.print-sheet')) flushSync(() => setPrinting(true));
    };
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/** Prints a sheet that is there for this print alone. */
export function usePrint(): { printing: boolean; print: () => void } {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const end = () => setPrinting(false);
    window.addEventListener('afterprint', end);
    return () => window.removeEventListener('afterprint', end);
  }, []);
  const print = () => {
    flushSync(() => setPrinting(true));
    window.print();
  };
  return { printing, print };
}
