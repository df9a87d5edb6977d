import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import {
  DndContext,
  type DragOverEvent,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { GripVertical, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type FieldErrors, type UseFormReturn, useFieldArray } from 'react-hook-form';
import { stretchesText } from '../day/segments';
import { minutesText } from '../time/zoned';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { ScreenReaderOnly } from '../ui/text';
import { SegmentBar } from './segment-bar';
import { MOST_BUFFER, MOST_MINUTES, type ServiceValues, STEP, stretchesOfValues } from './service-values';

type SegmentEditorProps = { form: UseFormReturn<ServiceValues> };

/** The course of a service: its stretches in order, moved by dragging or by arrow keys, above them their bar. */
export function SegmentEditor({ form }: SegmentEditorProps) {
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'segments' });
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const { errors } = form.formState;
  const values = form.watch();
  const stretches = stretchesOfValues(values);

  const moveTo = (from: number, to: number) => {
    if (from === to || to < 0 || to >= fields.length) return;
    move(from, to);
    setSaid(`${nameOf(values, from)} is now number ${to + 1} of ${fields.length}.`);
  };

  const indexOf = (id: unknown) => fields.findIndex((field) => field.id === id);
  const draggedOver = ({ active, over }: DragOverEvent) => {
    const [from, to] = [indexOf(active.id), indexOf(over?.id)];
    if (from >= 0 && to >= 0) moveTo(from, to);
  };

  const removeAt = (index: number) => {
    remove(index);
    // The row that held the focus is gone.
    list.current?.closest('fieldset')?.querySelector<HTMLButtonElement>('[data-add]')?.focus();
  };

  return (
    <chakra.fieldset border="none" minWidth="0">
      <chakra.legend fontWeight="650" mb="2">
        Steps
      </chakra.legend>
      <Stack gap="4">
        <Stack gap="1.5">
          <SegmentBar stretches={stretches} scaleMinutes={totalOf(stretches)} figures />
          <chakra.p color="fg.muted" fontSize="0.875rem">
            {minutesText(totalOf(stretches.filter(({ kind }) => kind !== 'buffer')))} for the customer
            {stretches.length > 0 && `: ${stretchesText(stretches)}`}
          </chakra.p>
        </Stack>
        <DndContext
          sensors={sensors}
          onDragOver={draggedOver}
          accessibility={{ screenReaderInstructions: { draggable: '' }, announcements: SILENT }}
        >
          <Stack as="ol" ref={list} aria-label="Steps" gap="2" listStyleType="none">
            {fields.map((field, index) => (
              <SegmentRow
                key={field.id}
                id={field.id}
                form={form}
                index={index}
                name={nameOf(values, index)}
                last={fields.length === 1}
                onMove={(by) => moveTo(index, index + by)}
                onRemove={() => removeAt(index)}
              />
            ))}
          </Stack>
        </DndContext>
        <ScreenReaderOnly role="status">{said}</ScreenReaderOnly>
        <Refusal>{rootOf(errors)}</Refusal>
        <Flex gap="2" wrap="wrap">
          <Button data-add onClick={() => append({ kind: 'active', minutes: 30, own: {} })}>
            <Plus size={18} aria-hidden />
            Time with staff
          </Button>
          <Button onClick={() => append({ kind: 'processing', minutes: 30, own: {} })}>
            <Plus size={18} aria-hidden />
            Processing
          </Button>
        </Flex>
        <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
          <TextField
            label="Kept free before (minutes)"
            type="number"
            min={0}
            max={MOST_BUFFER}
            step={STEP}
            error={errors.bufferBefore?.message}
            {...form.register('bufferBefore', { valueAsNumber: true })}
          />
          <TextField
            label="Kept free after (minutes)"
            type="number"
            min={0}
            max={MOST_BUFFER}
            step={STEP}
            error={errors.bufferAfter?.message}
            {...form.register('bufferAfter', { valueAsNumber: true })}
          />
        </Grid>
      </Stack>
    </chakra.fieldset>
  );
}

type SegmentRowProps = SegmentEditorProps & {
  id: string;
  index: number;
  name: string;
  last: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
};

function SegmentRow({ form, id, index, name, last, onMove, onRemove }: SegmentRowProps) {
  const drag = useDraggable({ id });
  const drop = useDroppable({ id });
  const error = form.formState.errors.segments?.[index]?.minutes?.message;

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    onMove(by);
  };

  return (
    <Grid
      as="li"
      ref={drop.setNodeRef}
      gridTemplateColumns="auto minmax(0, 3fr) minmax(0, 2fr) auto"
      gap="2"
      alignItems="end"
      p="2"
      borderRadius="button"
      bg={drag.isDragging ? 'brand.subtle' : 'bg.sunken'}
    >
      <Handle
        ref={drag.setNodeRef}
        type="button"
        aria-label={`Move ${name}`}
        title="Drag, or press the up and down arrow keys"
        {...drag.listeners}
        onKeyDown={onKeyDown}
      >
        <GripVertical size={18} aria-hidden />
      </Handle>
      <SelectField label={`Step ${index + 1}`} {...form.register(`segments.${index}.kind`)}>
        <option value="active">With staff</option>
        <option value="processing">Processing, staff free</option>
      </SelectField>
      <TextField
        label="Minutes"
        type="number"
        min={STEP}
        max={MOST_MINUTES}
        step={STEP}
        error={error}
        {...form.register(`segments.${index}.minutes`, { valueAsNumber: true })}
      />
      <Handle
        type="button"
        cursor="pointer"
        aria-label={`Remove ${name}`}
        disabled={last}
        onClick={onRemove}
        _disabled={{ opacity: '0.4', cursor: 'not-allowed' }}
      >
        <Trash2 size={18} aria-hidden />
      </Handle>
    </Grid>
  );
}

const Handle = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '12',
    borderRadius: 'button',
    color: 'fg.muted',
    cursor: 'grab',
    touchAction: 'none',
    _hover: { bg: 'bg.hover', color: 'fg' },
  },
});

/** The list says itself what became of a move, whichever way it was made. */
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

const KINDS = { active: 'with staff', processing: 'processing' } as const;

function nameOf({ segments }: ServiceValues, index: number): string {
  const segment = segments[index];
  if (!segment) return '';
  const length = segment.minutes > 0 ? minutesText(segment.minutes) : `stretch ${index + 1}`;
  return `${length} ${KINDS[segment.kind]}`;
}

const totalOf = (stretches: { minutes: number }[]) =>
  stretches.reduce((total, { minutes }) => total + minutes, 0);

const rootOf = (errors: FieldErrors<ServiceValues>) =>
  errors.segments?.root?.message ?? errors.segments?.message;
