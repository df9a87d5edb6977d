import { type LucideIcon, Monitor, Smartphone } from 'lucide-react';

const HANDHELD = /iphone|ipad|android|mobile/i;

/** A desktop or a phone icon, judged by the browser's name. */
export function browserIcon(browser: string): LucideIcon {
  return HANDHELD.test(browser) ? Smartphone : Monitor;
}

export const browserName = (browser: string) => browser || 'An unknown browser';
