const edge = (side: 'left' | 'right') =>
  `linear-gradient(to ${side === 'left' ? 'right' : 'left'}, var(--css-ground) 30%, transparent) ${side} / 2.5rem 100% no-repeat local`;
const shade = (side: 'left' | 'right') =>
  `linear-gradient(to ${side === 'left' ? 'right' : 'left'}, var(--css-shade), transparent) ${side} / 0.875rem 100% no-repeat scroll`;

/**
 * What scrolls sideways is shaded at an edge that hides more: the ground travels with the content
 * and covers the shade where there is nothing further.
 */
export const scrollHint = (ground: 'bg.card' | 'bg.page') => ({
  '--css-ground': `colors.${ground}`,
  '--css-shade': 'colors.line',
  background: [edge('left'), edge('right'), shade('left'), shade('right')].join(', '),
});
