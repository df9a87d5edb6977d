import '@fontsource-variable/inter/wght.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, firstPage } from './app';
import { session } from './session/current';
import { arrival } from './session/provider/arrival';

// What came back from a provider opens the session there; asking for the one before would cross it.
if (!arrival) void session.start();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
void firstPage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
