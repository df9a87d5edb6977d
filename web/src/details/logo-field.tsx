import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '../api/call';
import { ReadBusinessMark } from '../business/business-mark';
import { businessQuery } from '../business/queries';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { LogoService } from '../gen/frontdesk/tenancy/v1/logo_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { LOGO_TYPES, logoBytes, NoLogo } from './logo-file';

type LogoFieldProps = {
  business: Business;
  /** As its form has them. */
  name: string;
  color: string;
  onChanged: (business: Business) => void;
};

/** A business's logo: a file that is chosen or dropped here, kept at once. */
export function LogoField({ business, name, color, onChanged }: LogoFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { set, remove, busy, refused } = useLogo(business, onChanged);
  const choose = (chosen: File | undefined) => {
    if (file.current) file.current.value = '';
    if (chosen) void set(chosen);
  };
  return (
    <Stack gap="3">
      <Flex
        align="center"
        gap="4"
        wrap="wrap"
        p="4"
        border="1px dashed"
        borderColor={over ? 'brand.fg' : 'line'}
        borderRadius="md"
        bg={over ? 'brand.subtle' : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          choose(event.dataTransfer.files[0]);
        }}
      >
        <ReadBusinessMark businessId={business.id} name={name} color={color} size="64px" />
        <Box flex="1 1 12rem" minWidth="0">
          <Text fontWeight="600">{name || 'This business'}</Text>
          <Muted fontSize="0.875rem">
            {business.logoDigest
              ? 'Everyone at the business sees this logo beside its name.'
              : 'Drop a logo here, or choose one: PNG, JPEG or WebP.'}
          </Muted>
        </Box>
        <input
          ref={file}
          type="file"
          accept={LOGO_TYPES}
          aria-label="Logo"
          hidden
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
        <Flex gap="2" wrap="wrap">
          <Button loading={busy} onClick={() => file.current?.click()}>
            <ImageUp size={18} aria-hidden />
            {business.logoDigest ? 'Replace logo' : 'Choose a logo'}
          </Button>
          {business.logoDigest && (
            <Button variant="quiet" disabled={busy} onClick={() => void remove()}>
              Remove logo
            </Button>
          )}
        </Flex>
      </Flex>
      <Refusal>{refused}</Refusal>
    </Stack>
  );
}

function useLogo(business: Business, onChanged: (business: Business) => void) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const businessId = business.id;
  const change = async (send: () => Promise<{ business?: Business | undefined }>, done: string) => {
    setBusy(true);
    setRefused(undefined);
    try {
      const { business: saved } = await send();
      if (!saved) return;
      const { queryKey } = businessQuery(businessId);
      queries.setQueryData(queryKey, (before) => before && { ...before, business: saved });
      onChanged(saved);
      toasts.show('good', `${done} ${saved.name}.`);
    } catch (error) {
      setRefused(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    refused,
    set: (file: File) =>
      change(async () => {
        const content = await logoBytes(file);
        return call(LogoService.method.setLogo, { businessId, content });
      }, 'Saved the logo of'),
    remove: () => change(() => call(LogoService.method.removeLogo, { businessId }), 'Removed the logo of'),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof NoLogo) return error.message;
  const fault = fieldErrorsOf(error).content;
  return fault ? `The picture ${fault}.` : messageOf(error, 'The logo could not be saved. Try again.');
}
