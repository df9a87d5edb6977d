import { Graph, layout } from '@dagrejs/dagre';

export type Place = { x: number; y: number };
export type Line = { from: string; to: string };

export const CARD = { width: 200, height: 64 };
/** Between two layers a rule's name has room. */
const GAP = { across: 230, down: 28 };

/**
 * Where each service stands: those that rules connect in layers from left to
 * right, the rest in rows beneath, in the order they came.
 */
export function placesOf(ids: string[], lines: Line[], columns = 4): Map<string, Place> {
  const known = new Set(ids);
  const drawn = lines.filter(({ from, to }) => known.has(from) && known.has(to));
  const connected = new Set(drawn.flatMap(({ from, to }) => [from, to]));
  const places = layered(
    ids.filter((id) => connected.has(id)),
    drawn,
  );
  const below = Math.max(0, ...[...places.values()].map(({ y }) => y + CARD.height + 2 * GAP.down));
  for (const [index, id] of ids.filter((id) => !connected.has(id)).entries()) {
    places.set(id, {
      x: (index % columns) * (CARD.width + GAP.down),
      y: below + Math.floor(index / columns) * (CARD.height + GAP.down),
    });
  }
  return places;
}

function layered(ids: string[], lines: Line[]): Map<string, Place> {
  if (ids.length === 0) return new Map();
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', ranksep: GAP.across, nodesep: 4 * GAP.down });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { ...CARD });
  for (const [index, { from, to }] of lines.entries()) graph.setEdge(from, to, {}, String(index));
  layout(graph);
  // It tells where middles are.
  return new Map(
    ids.map((id) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - CARD.width / 2, y: y - CARD.height / 2 }];
    }),
  );
}
