import '@xyflow/react/dist/base.css';
import { Box, Flex } from '@chakra-ui/react';
import {
  Background,
  ConnectionMode,
  Controls,
  MarkerType,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Dependency } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { Button } from '../ui/button';
import { Muted, Text } from '../ui/text';
import { CARD, placesOf } from './layout';
import type { Contradiction } from './rule-dialog';
import { RuleEdge, type RuleEdgeType } from './rule-edge';
import { isDirected } from './rule-text';
import { dependencyOf } from './rule-values';
import { ServiceNode, type ServiceNodeType } from './service-node';

const NODE_TYPES = { service: ServiceNode };
const EDGE_TYPES = { rule: RuleEdge };
const REFUSED = 'refused';

type GraphProps = {
  services: Service[];
  rules: Dependency[];
  contradiction: Contradiction | undefined;
  sentence: (rule: Dependency) => string;
  onConnect: ((first: string, then: string) => void) | undefined;
  onDelete: ((rule: Dependency) => void) | undefined;
};

/** Services as cards, rules as lines between them. A line drawn from one to another asks for its rule. */
export function DependencyGraph(props: GraphProps) {
  const { services, rules, contradiction, sentence, onConnect, onDelete } = props;
  const [selected, setSelected] = useState('');
  const chosen = rules.find(({ id }) => id === selected);
  const frame = useRef<HTMLDivElement>(null);
  const connectable = onConnect !== undefined;
  const nodes = useMemo(() => nodesOf(services, rules, connectable), [services, rules, connectable]);
  const edges = edgesOf(nodes, rules, contradiction, selected, sentence, setSelected);
  return (
    <Box>
      <Box ref={frame} height="30rem" borderBlock="1px solid" borderColor="line" css={COLOURS}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          connectionMode={ConnectionMode.Loose}
          nodesDraggable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          nodesConnectable={connectable}
          deleteKeyCode={null}
          // The wheel scrolls the page.
          zoomOnScroll={false}
          preventScrolling={false}
          minZoom={0.2}
          fitView
          // Smaller, the nodes would be too small to read or press.
          fitViewOptions={{ minZoom: 0.7, maxZoom: 1 }}
          onInit={(flow) => startAtFirst(flow, frame.current)}
          proOptions={{ hideAttribution: true }}
          onConnect={({ source, target }) => source !== target && onConnect?.(source, target)}
        >
          <Background />
          <Controls showInteractive={false} position="bottom-right" />
        </ReactFlow>
      </Box>
      <Flex align="center" gap="3" minHeight="14" px="6" pt="2" wrap="wrap">
        {chosen ? (
          <>
            <Text flex="1" fontWeight="550">
              {sentence(chosen)}
            </Text>
            {onDelete && (
              <Button
                variant="dangerOutline"
                onClick={() => {
                  setSelected('');
                  onDelete(chosen);
                }}
              >
                <Trash2 size={18} aria-hidden />
                Delete rule
              </Button>
            )}
          </>
        ) : (
          <Muted>
            {onConnect
              ? 'Draw a line from one service to another to make a rule; press a line’s label to read or delete it.'
              : 'Press a line’s label to read its rule.'}
          </Muted>
        )}
      </Flex>
    </Box>
  );
}

const EDGE_PX = 24;

/** What has no room is centred, and begins somewhere in the middle: it is read from its first services on. */
function startAtFirst(flow: ReactFlowInstance<ServiceNodeType, RuleEdgeType>, frame: HTMLElement | null) {
  const { x, y, zoom } = flow.getViewport();
  const bounds = flow.getNodesBounds(flow.getNodes());
  const first = (at: number, start: number, length: number, room: number) =>
    length * zoom > room ? EDGE_PX - start * zoom : at;
  if (!frame) return;
  void flow.setViewport({
    x: first(x, bounds.x, bounds.width, frame.clientWidth),
    y: first(y, bounds.y, bounds.height, frame.clientHeight),
    zoom,
  });
}

/** The library's colours are this product's, in the light and in the dark. */
const COLOURS = {
  '--xy-background-color': 'colors.bg.sunken',
  '--xy-background-pattern-color': 'colors.line',
  '--xy-connectionline-stroke': 'colors.focus',
  '--xy-controls-button-background-color': 'colors.bg.card',
  '--xy-controls-button-background-color-hover': 'colors.bg.hover',
  '--xy-controls-button-color': 'colors.fg',
  '--xy-controls-button-border-color': 'colors.line',
  '& .react-flow__handle': {
    width: '14px',
    height: '14px',
    bg: 'bg.card',
    border: '2px solid',
    borderColor: 'brand.solid',
    borderRadius: 'full',
    _hover: { bg: 'brand.solid' },
  },
  // A name is never behind a card.
  '& .react-flow__edgelabel-renderer': { zIndex: '1' },
  '& .react-flow__controls': { borderRadius: 'button', overflow: 'hidden', boxShadow: 'card' },
  '& .react-flow__controls-button': {
    width: '36px',
    height: '36px',
    display: 'grid',
    placeItems: 'center',
    bg: 'bg.card',
    color: 'fg',
    borderBottom: '1px solid',
    borderColor: 'line',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    '& svg': { width: '14px', height: '14px', fill: 'currentColor' },
  },
};

function nodesOf(services: Service[], rules: Dependency[], connectable: boolean): ServiceNodeType[] {
  const lines = rules.map(({ firstServiceId, thenServiceId }) => ({
    from: firstServiceId,
    to: thenServiceId,
  }));
  const places = placesOf(
    services.map(({ id }) => id),
    lines,
  );
  return services.map(({ id, name, category }) => ({
    id,
    type: 'service',
    position: places.get(id) ?? { x: 0, y: 0 },
    // Known beforehand: nothing is hidden until it is measured.
    ...CARD,
    data: { name, category, connectable },
  }));
}

/** A rule without a direction is drawn the way it is read, from left to right. */
function endsOf(
  { rule, firstServiceId, thenServiceId }: Dependency,
  nodes: ServiceNodeType[],
): [source: string, target: string] {
  const across = (id: string) => nodes.find((node) => node.id === id)?.position.x ?? 0;
  const backwards = !isDirected(rule) && across(firstServiceId) > across(thenServiceId);
  return backwards ? [thenServiceId, firstServiceId] : [firstServiceId, thenServiceId];
}

function edgesOf(
  nodes: ServiceNodeType[],
  rules: Dependency[],
  contradiction: Contradiction | undefined,
  selected: string,
  sentence: (rule: Dependency) => string,
  onSelect: (id: string) => void,
): RuleEdgeType[] {
  const before = new Map<string, number>();
  /** How many rules between the same two were drawn before. */
  const turnOf = (one: string, other: string) => {
    const pair = [one, other].sort().join();
    const turn = before.get(pair) ?? 0;
    before.set(pair, turn + 1);
    return turn;
  };
  const edges: RuleEdgeType[] = rules.map((rule) => {
    const [source, target] = endsOf(rule, nodes);
    const conflicting = contradiction?.ids.includes(rule.id) ?? false;
    return {
      id: rule.id,
      type: 'rule',
      source,
      target,
      sourceHandle: 'out',
      targetHandle: 'in',
      ...(isDirected(rule.rule) ? { markerEnd: { type: MarkerType.ArrowClosed } } : {}),
      data: {
        bounds: rule,
        label: sentence(rule),
        turn: turnOf(rule.firstServiceId, rule.thenServiceId),
        state: conflicting ? 'conflicting' : rule.id === selected ? 'selected' : 'plain',
        onSelect: () => onSelect(rule.id === selected ? '' : rule.id),
      },
    };
  });
  if (!contradiction) return edges;
  const bounds = dependencyOf(contradiction.refused);
  const { firstServiceId, thenServiceId } = bounds;
  const refused: RuleEdgeType = {
    id: REFUSED,
    type: 'rule',
    source: firstServiceId,
    target: thenServiceId,
    sourceHandle: 'out',
    targetHandle: 'in',
    ...(isDirected(bounds.rule) ? { markerEnd: { type: MarkerType.ArrowClosed } } : {}),
    data: {
      bounds,
      label: 'The refused rule',
      turn: turnOf(firstServiceId, thenServiceId),
      state: 'refused',
    },
  };
  return [...edges, refused];
}
