import { type LucideIcon, Monitor, Smartphone } from 'lucide-react';

const HANDHELD = /iphone|ipad|android|mobile/i;

/** A screen on a desk or in a hand, as far as the browser's name tells. */
export function browserIcon(browser: string): LucideIcon {
  return HANDHELD.test(browser) ? Smartphone : Monitor;
}

export const browserName = (browser: string) => browser || 'An unknown browser';
