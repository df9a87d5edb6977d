/** The pages are English, so the words of dates are too, whatever the browser speaks. Zones stay local. */
export const LANGUAGE = 'en-GB';
