import { Box, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Surface } from '../../ui/card';
import { Drawer } from '../../ui/drawer';
import { longHeading } from '../../ui/long-heading';
import { SquareButton } from '../../ui/square-button';
import { H2 } from '../../ui/text';
import { useRoomy } from '../../ui/use-width';

type DayPanelProps = { title: string; children: ReactNode; onClose: () => void };

/** Out to the edges of what a panel stands in: beside the day, or in front of it. */
export const PANEL_EDGE = { base: '-4', sm: '-6', lg: '-5' };

/** Something about the day beside it; where there is no room beside it, in front of it. */
export function DayPanel(props: DayPanelProps) {
  const roomy = useRoomy();
  if (roomy) return <Beside {...props} />;
  return (
    <Drawer title={props.title} onClose={props.onClose}>
      {props.children}
    </Drawer>
  );
}

function Beside({ title, children, onClose }: DayPanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // An opened panel takes the focus; closed, it gives the focus back.
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <Surface
      as="aside"
      aria-labelledby={id}
      width="23rem"
      flexShrink="0"
      maxHeight="max(26rem, calc(100dvh - 220px))"
      overflowY="auto"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // A dialog that was opened from the panel handles Escape itself.
        if ((event.target as HTMLElement).closest('dialog')) return;
        onClose();
      }}
    >
      <Flex
        position="sticky"
        top="0"
        zIndex="1"
        bg="bg.card"
        align="center"
        justify="space-between"
        gap="3"
        ps="5"
        pe="2"
        py="2"
        borderBottom="1px solid"
        borderColor="line"
      >
        <H2 id={id} ref={heading} tabIndex={-1} outline="none" {...longHeading(title)}>
          {title}
        </H2>
        <SquareButton label={`Close ${title}`} onClick={onClose}>
          <X size={20} aria-hidden />
        </SquareButton>
      </Flex>
      <Box px="5" py="4">
        {children}
      </Box>
    </Surface>
  );
}
