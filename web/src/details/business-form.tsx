import { Flex, Grid, Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { refuseFields } from '../api/refuse-fields';
import { businessQuery, membershipsQuery } from '../business/queries';
import { type Business, BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { ApiError } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { BrandField, IdentityFields } from './business-fields';
import { type BusinessValues, businessFields, businessValues, fieldOf } from './business-values';
import { LogoField } from './logo-field';

type BusinessFormProps = { businessId: string; business: Business };

/** Changes what a business says of itself. */
export function BusinessForm({ businessId, business }: BusinessFormProps) {
  const queries = useQueryClient();
  /** As it was when the form began: what was changed since is not written over unseen. */
  const [seen, setSeen] = useState(business);
  const [stale, setStale] = useState(false);
  const form = useForm<BusinessValues>({
    resolver: zodResolver(businessFields),
    defaultValues: businessValues(business),
  });
  useKeptForm('details', form);
  const { errors, isDirty, isSubmitting } = form.formState;
  const [name, brandColor] = form.watch(['name', 'brandColor']);

  const begin = (from: Business) => {
    setSeen(from);
    setStale(false);
    form.reset(businessValues(from));
  };
  /** Another logo is a version of its own: what is typed is saved over it, but over nothing else that was changed. */
  const logoChanged = (to: Business) => {
    if (to.version === seen.version + 1n) setSeen(to);
  };
  const save = form.handleSubmit(async (values) => {
    try {
      const input = { businessId, ...values, version: seen.version };
      const { business: saved } = await call(BusinessService.method.updateBusiness, input);
      if (!saved) return;
      queries.setQueryData(
        businessQuery(businessId).queryKey,
        (before) => before && { ...before, business: saved },
      );
      void queries.invalidateQueries({ queryKey: membershipsQuery().queryKey });
      void queries.invalidateQueries({ queryKey: [methodKey(BusinessService.method.listBusinesses)] });
      begin(saved);
      toasts.show('good', `The details of ${saved.name} are saved.`);
    } catch (error) {
      refuseFields(form, error, fieldOf, 'The details could not be saved.');
      setStale(error instanceof ApiError && error.reason === 'STALE');
    }
  });
  const startOver = async () => {
    const { business: now } = await queries.fetchQuery({ ...businessQuery(businessId), staleTime: 0 });
    if (now) begin(now);
  };

  return (
    <>
      <form noValidate onSubmit={(event) => void save(event)}>
        <Grid
          gap="6"
          alignItems="start"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
        >
          <Card title="Business">
            <Stack gap="4">
              <IdentityFields form={form} />
              <Refusal>{errors.root?.message}</Refusal>
              <Flex gap="3" wrap="wrap">
                <Button type="submit" variant="contained" loading={isSubmitting} disabled={!isDirty}>
                  Save details
                </Button>
                {stale && <Button onClick={() => void startOver()}>Start from how it is now</Button>}
                {isDirty && !stale && (
                  <Button onClick={() => begin(seen)} disabled={isSubmitting} minHeight="12">
                    Discard changes
                  </Button>
                )}
              </Flex>
            </Stack>
          </Card>
          <Card title="Branding">
            <Stack gap="4">
              <LogoField business={business} name={name} color={brandColor} onChanged={logoChanged} />
              <BrandField form={form} />
            </Stack>
          </Card>
        </Grid>
      </form>
      {isDirty && <LeaveGuard />}
    </>
  );
}
