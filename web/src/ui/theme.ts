import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';

const PRIMARY = '#148c84';
const SECONDARY = '#187488';

const both = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

const spacing = Object.fromEntries(
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24].map((step) => [
    String(step),
    { value: `${step * 0.25}rem` },
  ]),
);

const config = defineConfig({
  disableLayers: true,
  preflight: true,
  globalCss: {
    'html, body': {
      background: 'bg.page',
      color: 'fg',
      fontFamily: 'body',
      fontSize: '1rem',
      lineHeight: '1.5',
    },
    body: { minHeight: '100dvh' },
    '#root': { minHeight: '100dvh' },
    '*:focus-visible': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
    '::selection': { background: 'brand.subtle' },
  },
  theme: {
    breakpoints: { sm: '600px', md: '900px', lg: '1200px', xl: '1536px' },
    keyframes: {
      pulse: {
        '0%': { transform: 'scale(1)', opacity: '0.55' },
        '100%': { transform: 'scale(2.6)', opacity: '0' },
      },
      travel: { from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(350%)' } },
      turn: { to: { transform: 'rotate(360deg)' } },
      arrive: {
        from: { opacity: '0', transform: 'translateY(6px)' },
        to: { opacity: '1', transform: 'none' },
      },
    },
    tokens: {
      spacing,
      sizes: { ...spacing, full: { value: '100%' } },
      fonts: {
        body: {
          value:
            "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
        },
        mono: { value: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace" },
      },
      radii: {
        l1: { value: '3px' },
        field: { value: '4px' },
        button: { value: '8px' },
        card: { value: '12px' },
        full: { value: '9999px' },
      },
      zIndex: { bar: { value: 20 }, menu: { value: 70 }, toast: { value: 60 }, skip: { value: 80 } },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: both('#ffffff', '#151d1f'),
          inverted: both('#1b2426', '#e7eeee'),
          page: both('#f7f9f9', '#0e1415'),
          card: both('#ffffff', '#151d1f'),
          bar: both('#f2f2f2', '#11191a'),
          sunken: both('#f1f4f4', '#101819'),
          hover: both('#eef3f3', '#1c2729'),
        },
        fg: {
          DEFAULT: both('#1b2426', '#e7eeee'),
          muted: both('#556265', '#a3b2b4'),
          toolbar: both('#333333', '#d5dedf'),
        },
        line: { DEFAULT: both('#e0e6e6', '#273335'), strong: both('#7d8b8d', '#6d7d80') },
        focus: both(SECONDARY, '#6cc5d6'),
        link: both(SECONDARY, '#6cc5d6'),
        brand: {
          solid: { value: PRIMARY },
          pressed: { value: '#0f766f' },
          subtle: both('#dff1ef', '#12312f'),
          hover: both('#cfe8e5', '#193e3b'),
          fg: both('#0c615b', '#6fd0c7'),
        },
        secondary: { solid: { value: SECONDARY } },
        good: { subtle: both('#dff3e4', '#143020'), fg: both('#1a6334', '#80d69d') },
        info: { subtle: both('#e0eefb', '#15293c'), fg: both('#1d5790', '#8fc3f5') },
        warn: {
          subtle: both('#fdf0d5', '#352910'),
          fg: both('#7f4f00', '#f0c064'),
          line: both('#ebcf95', '#5c4718'),
        },
        bad: {
          subtle: both('#fde7e5', '#3a1a19'),
          fg: both('#a3241c', '#ff9d94'),
          solid: both('#b42a21', '#c8392f'),
          line: both('#f0bcb7', '#66302c'),
        },
        violet: { subtle: both('#efe8fb', '#271f3c'), fg: both('#5c3a9e', '#c4adf5') },
        quiet: { subtle: both('#e9eeee', '#222d2f'), fg: both('#465356', '#b3c0c2') },
        shimmer: both('#e4ebeb', '#253133'),
      },
      shadows: {
        card: both('0 1px 2px rgb(16 40 42 / 0.05)', '0 1px 2px rgb(0 0 0 / 0.4)'),
        float: both('0 12px 32px rgb(16 40 42 / 0.16)', '0 12px 32px rgb(0 0 0 / 0.6)'),
      },
    },
  },
});

/**
 * Chakra without its catalogue: the tokens of this product, and `sizes.full`, `radii.l1`, `colors.bg` and
 * `colors.bg.inverted`, which Chakra's charts name.
 */
export const system = createSystem(defaultBaseConfig, config);
