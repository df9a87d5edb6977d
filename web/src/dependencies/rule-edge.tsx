import { chakra } from '@chakra-ui/react';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { DependencyRule } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { ScreenReaderOnly } from '../ui/text';
import { type Bounds, boundsText, RULE_NAMES } from './rule-text';

type EdgeState = 'plain' | 'selected' | 'conflicting' | 'refused';

export type RuleEdgeType = Edge<
  {
    bounds: Bounds;
    /** The rule's label for screen readers. */
    label: string;
    /** Which one between the same two it is. */
    turn: number;
    state: EdgeState;
    onSelect?: () => void;
  },
  'rule'
>;

const STROKES: Record<EdgeState, string> = {
  plain: 'line.strong',
  selected: 'focus',
  conflicting: 'bad.fg',
  refused: 'bad.fg',
};

/** Room for the label of one more rule between the same two. */
const LABEL_HEIGHT = 42;

const Line = chakra('g', {
  base: { '& path': { stroke: 'var(--stroke)', fill: 'none' } },
});

const Label = chakra('button', {
  base: {
    position: 'absolute',
    px: '3',
    minHeight: '9',
    borderRadius: 'full',
    border: '1px solid',
    fontSize: '0.8125rem',
    fontWeight: '600',
    whiteSpace: 'nowrap',
    pointerEvents: 'all',
    cursor: 'pointer',
    bg: 'bg.card',
    color: 'fg',
    borderColor: 'line.strong',
    _pressed: { borderColor: 'focus', boxShadow: '0 0 0 1px {colors.focus}' },
    '&[data-bad]': { bg: 'bad.subtle', color: 'bad.fg', borderColor: 'bad.line' },
  },
});

/** A rule as a line with its name; pressing the name tells all of it. */
export function RuleEdge(props: EdgeProps<RuleEdgeType>) {
  const { data, markerEnd } = props;
  if (!data) return null;
  const { bounds, label, turn, state, onSelect } = data;
  const [path, x, y] = getBezierPath({ ...props, curvature: 0.25 + 0.3 * turn });
  const bad = state === 'conflicting' || state === 'refused';
  const shown = shortText(bounds);
  return (
    <>
      <Line
        css={{ '--stroke': `colors.${STROKES[state]}` }}
        strokeWidth={state === 'plain' ? 1.5 : 2.5}
        strokeDasharray={dashes(bounds.rule, state)}
      >
        <BaseEdge path={path} {...(markerEnd ? { markerEnd } : {})} />
      </Line>
      <EdgeLabelRenderer>
        <Label
          type="button"
          className="nodrag nopan"
          aria-pressed={onSelect ? state === 'selected' : undefined}
          data-bad={bad || undefined}
          disabled={!onSelect}
          onClick={onSelect}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y - turn * LABEL_HEIGHT}px)` }}
        >
          {state === 'refused' ? `Refused: ${shown}` : shown}
          <ScreenReaderOnly>{bad ? `: ${label} Part of the contradiction.` : `: ${label}`}</ScreenReaderOnly>
        </Label>
      </EdgeLabelRenderer>
    </>
  );
}

/** What has room on a line; pressing it tells the rest. */
function shortText(bounds: Bounds): string {
  if (bounds.rule !== DependencyRule.ORDER) return RULE_NAMES[bounds.rule];
  const gap = boundsText(bounds);
  return gap === 'any gap' ? 'then' : `then, ${gap}`;
}

/** Order is solid; what only says who, or when at the same time, is broken. */
function dashes(rule: DependencyRule, state: EdgeState): string | undefined {
  if (state === 'refused') return '2 5';
  if (rule === DependencyRule.ORDER) return undefined;
  return rule === DependencyRule.EARLIER_VISIT ? '10 4' : '5 4';
}
