import { chakra, Stack } from '@chakra-ui/react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { CARD } from './layout';

export type ServiceNodeType = Node<{ name: string; category: string; connectable: boolean }, 'service'>;

/** A service in the graph; lines go out at its right and come in at its left. */
export function ServiceNode({ data: { name, category, connectable } }: NodeProps<ServiceNodeType>) {
  return (
    <Stack
      gap="0"
      justify="center"
      width={`${CARD.width}px`}
      height={`${CARD.height}px`}
      px="4"
      bg="bg.card"
      color="fg"
      border="1px solid"
      borderColor="line.strong"
      borderRadius="button"
      boxShadow="card"
    >
      <Handle type="target" id="in" position={Position.Left} isConnectable={connectable} />
      <chakra.span fontSize="0.9375rem" fontWeight="600" lineHeight="1.25" lineClamp="2" title={name}>
        {name}
      </chakra.span>
      {category && (
        <chakra.span fontSize="0.8125rem" color="fg.muted" truncate>
          {category}
        </chakra.span>
      )}
      <Handle type="source" id="out" position={Position.Right} isConnectable={connectable} />
    </Stack>
  );
}
